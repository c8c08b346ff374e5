// What the chat needs in a frame on another site: Escape closes the panel that the frame stands in, opening it leads the
// keyboard to the form, and the tab remembers which conversation is the reader's, since no cookie does.
(() => {
  "use strict";
  const KEY = "trava-conversation";
  const chat = document.getElementById("chat");
  const field = () => document.getElementById("conversation"); // the chat replaces it

  function storage() {
    try {
      return window.sessionStorage;
    } catch {
      return null; // a browser that keeps nothing for frames: the next page of the host begins anew
    }
  }

  function remember(conversation) {
    if (conversation) storage()?.setItem(KEY, conversation);
    else storage()?.removeItem(KEY);
  }

  function takeUp() {
    const kept = storage()?.getItem(KEY);
    if (!kept || !chat || field().value || location.search === "?new") {
      remember(field().value);
      return;
    }
    remember(""); // what cannot be opened any more is not asked for again
    const resume = document.getElementById("resume");
    resume.elements.conversation.value = kept;
    resume.submit();
  }

  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.isComposing) parent.postMessage("trava:close", "*"); // it says nothing else
  });

  addEventListener("message", (event) => {
    if (event.source === parent && event.data === "trava:open") document.getElementById("question")?.focus();
  });

  chat?.addEventListener("htmx:wsAfterMessage", () => remember(field().value));
  document.getElementById("own")?.addEventListener("submit", (event) => {
    event.target.elements.conversation.value = field().value;
  });

  takeUp();
})();
