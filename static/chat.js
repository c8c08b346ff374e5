// What the chat needs beyond htmx: Enter sends, offered questions are asked, the newest lines stay in view, a lost
// connection is said and a running answer is followed again, and where no socket opens the form is posted as without
// JavaScript.
(() => {
  "use strict";
  const PATIENCE = 20_000; // ms without a word after a question: the connection is taken for dead
  const BRIEF = 5_000; // ms that a lost connection is waited for before the form is posted instead
  const RESTING = 4000; // how the server closes a socket that was silent for long: the next question opens another
  const chat = document.getElementById("chat");
  const said = document.getElementById("said");
  const connection = document.getElementById("connection");
  let socket = null;
  let wire = null; // the WebSocket that is open, as opposed to one that is still closing
  let lostAt = -Infinity; // at the beginning no socket is waited for
  let resting = false;
  let unheard = 0; // the timer of a question that nothing was heard of yet
  let asked = false;
  let atEnd = true;
  let moving = 0; // the timer of a box that scrolls

  // Somebody waits: the extension's own steps go up to a minute.
  htmx.config.wsReconnectDelay = (tries) => 1_000 * Math.min(2 ** tries, 8) * Math.random();

  const value = (name) => chat.querySelector(`#ask [name="${name}"]`).value;

  function follow() {
    const turn = chat.querySelector(".turn:last-of-type .checking")?.closest(".turn");
    if (!turn) return;
    socket.send(JSON.stringify({
      follow: "1",
      turn: turn.id.slice("turn-".length),
      question: turn.querySelector(".question-text").textContent,
      lang: value("lang"),
      conversation: value("conversation"),
    }));
  }

  function lost() {
    lostAt = performance.now();
    connection.textContent = connection.dataset.lost;
  }

  // Another socket in the place of one that may be dead. Where the old one's end is told late, the extension would take it
  // for the new one's, and end the answer that runs there.
  function replace() {
    if (!wire) return; // it is known to be lost, and another is on its way
    wire.onclose = null;
    wire = null;
    lost();
    socket.reconnect();
  }

  function wake() {
    resting = false;
    lostAt = performance.now();
    socket.reconnect(); // what is sent meanwhile waits for it
    setTimeout(() => { if (!wire) lost(); }, 1_000);
  }

  function heard() {
    clearTimeout(unheard);
    unheard = 0;
  }

  // The next question can be typed at once. By script: in a frame on another site browsers forbid `autofocus`.
  function focusFreshForm() {
    const question = chat.querySelector("#question[data-fresh]");
    if (!question) return;
    question.removeAttribute("data-fresh");
    // At once: a slow scroll would be given up half-way where the next line arrives.
    question.focus({ preventScroll: true });
    question.scrollIntoView({ block: "nearest", behavior: "instant" });
  }

  // To the newest line. What stands below an answer that has ended pushes the question above it out of sight no more.
  function scrollDown() {
    const turn = chat.querySelector(".turn:last-of-type");
    if (!turn) return;
    const end = said.scrollHeight - said.clientHeight;
    const begin = said.scrollTop + turn.getBoundingClientRect().top - said.getBoundingClientRect().top - 16;
    const ended = !turn.querySelector(".checking");
    said.scrollTo({ top: ended ? Math.min(end, Math.max(begin, said.scrollTop)) : end, behavior: "instant" });
  }

  // Where the reader was before a reload or a look at a source, which browsers keep for the page alone; else at the newest
  // turn, but where the address names another.
  function takePlace() {
    const place = history.state?.said;
    if (place !== undefined) said.scrollTo({ top: place, behavior: "instant" });
    else if (!location.hash) scrollDown();
  }

  function showCopyButtons() {
    if (!navigator.clipboard) return;
    for (const button of chat.querySelectorAll("[data-copy][hidden]")) button.hidden = false;
  }

  function asText(turn) {
    const mark = (sentence) => [...sentence.querySelectorAll(".mark")].map((mark) => `[${mark.lastChild.textContent}]`);
    const words = (sentence) => {
      const copy = sentence.cloneNode(true);
      copy.querySelectorAll(".mark, small").forEach((element) => element.remove());
      return copy.textContent.trim();
    };
    const sentences = [...turn.querySelectorAll(".sentence")].map((one) => [words(one), ...mark(one)].join(" "));
    const sources = [...turn.querySelectorAll(".sources li")].map((item) => {
      const link = item.querySelector("a");
      return `[${item.value.toLocaleString(document.documentElement.lang)}] ${link.textContent} ${link.href}`;
    });
    return [turn.querySelector(".question-text").textContent, sentences.join("\n"), sources.join("\n")].join("\n\n");
  }

  async function copy(button) {
    const said = chat.querySelector(`[data-copied="${button.dataset.copy}"]`);
    await navigator.clipboard.writeText(asText(button.closest(".turn")));
    said.textContent = said.dataset.text;
  }

  chat.addEventListener("htmx:wsOpen", (event) => {
    socket = event.detail.socketWrapper;
    wire = event.detail.event.target;
    connection.textContent = "";
    resting = false;
    if (unheard) document.getElementById("ask").requestSubmit(); // its turn keeps its id: it is not asked twice
    else follow();
  });

  chat.addEventListener("htmx:wsClose", (event) => {
    if (event.detail.event.target !== wire) return;
    wire = null;
    resting = event.detail.event.code === RESTING;
    if (!resting) lost();
  });

  chat.addEventListener("htmx:wsBeforeMessage", () => {
    heard();
    atEnd = asked || said.scrollHeight - said.scrollTop - said.clientHeight < 160;
    asked = false;
  });

  chat.addEventListener("htmx:wsAfterMessage", () => {
    showCopyButtons();
    focusFreshForm();
    // A conversation that has begun is no new one any more: a reload must show it.
    if (location.search) history.replaceState(null, "", location.pathname + location.hash);
    if (atEnd) scrollDown();
  });

  // Once it rests: while a page is left, browsers let no state be replaced.
  said.addEventListener("scroll", () => {
    clearTimeout(moving);
    moving = setTimeout(() => history.replaceState({ said: said.scrollTop }, ""), 200);
  });

  // A device without a network may keep its dead sockets for minutes.
  addEventListener("offline", () => { if (wire) lost(); });
  addEventListener("online", replace);

  document.addEventListener("submit", (event) => {
    if (event.target.id !== "ask") return;
    asked = true;
    const waits = performance.now() - lostAt < BRIEF || !navigator.onLine;
    heard();
    if (wire) unheard = setTimeout(replace, PATIENCE);
    else if (resting) wake();
    else if (!waits) event.stopPropagation();
  }, true);

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button?.dataset.copy) copy(button);
    if (button?.name !== "suggested") return;
    event.preventDefault();
    const question = document.getElementById("question");
    question.value = button.value;
    question.form.requestSubmit();
  });

  // Another language is another page: what was typed goes along.
  document.querySelector(".languages")?.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    const typed = document.getElementById("question").value;
    if (link && typed) link.search = new URLSearchParams({ q: typed });
  });

  document.addEventListener("keydown", (event) => {
    if (event.target.id !== "question" || event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    event.target.form.requestSubmit();
  });

  showCopyButtons();
  takePlace();
})();
