// Puts a button on a page of the owner's that opens the assistant in a frame: docs/widget.md says how it is set up.
// It sets no cookie, adds nothing to the page's own names and styles, and loads the frame when it is opened.
(() => {
  "use strict";
  const script = document.currentScript;
  if (!script || document.querySelector("script[data-trava]")) return; // one assistant a page
  script.dataset.trava = "";
  const site = new URL(script.src).origin;
  const { lang = document.documentElement.lang, label, side } = script.dataset;

  // Sides follow the direction of the assistant's language, colours the reader's system, as they do in the frame.
  const STYLE = `
    :host { all: initial !important; color-scheme: light dark !important; }
    aside { --edge: 16px; --paper: light-dark(#faf8f4, #151719); --ink: light-dark(#23211d, #e8e5df);
      --line: light-dark(#e3ddd2, #303437); --accent: light-dark(#0f5e63, #82cbc6); --on: light-dark(#fff, #0c2324);
      font: 600 16px/1.3 system-ui, sans-serif; }
    button { font: inherit; cursor: pointer; }
    button:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
    .open { position: fixed; z-index: 2147483646; inset-block-end: var(--edge); inset-inline-end: var(--edge);
      min-block-size: 48px; max-inline-size: calc(100vw - 2 * var(--edge)); padding: 10px 20px; border: 1px solid
      transparent; border-radius: 24px; background: var(--accent); color: var(--on);
      box-shadow: 0 4px 20px rgb(0 0 0 / 25%); }
    dialog { position: fixed; z-index: 2147483647; inset: auto; inset-block-end: 76px; inset-inline-end: var(--edge);
      inline-size: min(416px, 100vw - 2 * var(--edge)); block-size: min(680px, 100dvh - 92px);
      max-inline-size: none; max-block-size: none; margin: 0; padding: 0; border: 1px solid var(--line);
      border-radius: 12px; overflow: hidden; background: var(--paper); color: var(--ink);
      box-shadow: 0 8px 40px rgb(0 0 0 / 30%); }
    dialog[open] { display: flex; flex-direction: column; }
    .start, .start + dialog { inset-inline: var(--edge) auto; }
    header { display: flex; align-items: center; justify-content: space-between; padding-inline-start: 16px;
      border-block-end: 1px solid var(--line); }
    .close { inline-size: 48px; block-size: 48px; border: 0; background: none; color: inherit; font-size: 24px; }
    .close:focus-visible { outline-offset: -5px; }
    iframe { flex: 1; inline-size: 100%; border: 0; }
    @media (max-width: 480px), (max-height: 480px) {
      dialog { inset: 0 !important; inline-size: 100%; block-size: 100dvh; border: 0; border-radius: 0; }
    }
    @media (prefers-reduced-motion: no-preference) {
      dialog[open] { animation: rise 160ms ease-out; }
      @keyframes rise { from { opacity: 0; translate: 0 12px; } }
    }
    @media print { aside { display: none; } }`;

  function element(name, properties, ...inside) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...inside);
    return made;
  }

  function build(offer) {
    const name = label || offer.label;
    const frame = element("iframe", { title: name, allow: "clipboard-write", referrerPolicy: "no-referrer" });
    frame.sandbox = "allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox " +
      "allow-downloads";
    const close = element("button", { type: "button", className: "close", ariaLabel: offer.close }, "×");
    const panel = element("dialog", { id: "panel", ariaLabel: name }, element("header", {}, name, close));
    const open = element("button", { type: "button", className: "open" }, name);
    open.setAttribute("aria-controls", "panel");
    open.ariaExpanded = "false";
    open.ariaHasPopup = "dialog";
    if (side === "start") open.classList.add("start");
    const small = matchMedia("(max-width: 480px), (max-height: 480px)");

    function load() {
      frame.src = site + offer.page;
      panel.append(frame);
    }

    function lead() {
      if (!panel.open) return;
      frame.focus();
      frame.contentWindow.postMessage("trava:open", site);
    }

    open.addEventListener("click", () => {
      if (panel.open) {
        panel.close();
        return;
      }
      if (small.matches) panel.showModal(); // it covers the page
      else panel.show();
      open.ariaExpanded = "true";
      if (frame.src) lead();
      else load();
    });
    frame.addEventListener("load", lead);
    close.addEventListener("click", () => panel.close());
    panel.addEventListener("close", () => {
      open.ariaExpanded = "false";
      if (!panel.open) open.focus(); // it may have been opened again meanwhile
    });
    addEventListener("message", (event) => {
      if (event.source === frame.contentWindow && event.origin === site && event.data === "trava:close") panel.close();
    });

    const sheet = new CSSStyleSheet(); // unlike an element for style, it needs no leave from the page's policy
    sheet.replaceSync(STYLE);
    const host = element("div", {});
    const shadow = host.attachShadow({ mode: "open" });
    shadow.adoptedStyleSheets = [sheet];
    const around = element("aside", { lang: offer.language, dir: offer.direction, ariaLabel: name }, open, panel);
    around.addEventListener("keydown", (event) => {
      if (event.key === "Escape") panel.close();
    });
    shadow.append(around);
    document.body.append(host);
  }

  async function start() {
    const asked = `${site}/api/widget?lang=${encodeURIComponent(lang)}`;
    const answer = await fetch(asked, { credentials: "omit", referrerPolicy: "no-referrer" });
    if (!answer.ok) return;
    const offer = await answer.json();
    if (document.body) build(offer);
    else addEventListener("DOMContentLoaded", () => build(offer), { once: true });
  }

  // A site that does not answer, or not to this page, has no button: the browser's console says why.
  start().catch(() => {});
})();
