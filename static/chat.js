// What the chat needs beyond htmx: Enter sends, the newest lines stay in view, a lost connection is said and a
// running answer is followed again, and where no socket ever opens the form is posted as without JavaScript.
(() => {
  "use strict";
  const chat = document.getElementById("chat");
  const connection = document.getElementById("connection");
  let everOpen = false;
  let asked = false;
  let atEnd = true;

  const value = (name) => chat.querySelector(`#ask [name="${name}"]`).value;

  function follow(socket) {
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

  chat.addEventListener("htmx:wsOpen", (event) => {
    everOpen = true;
    connection.textContent = "";
    follow(event.detail.socketWrapper);
  });

  chat.addEventListener("htmx:wsClose", () => {
    if (everOpen) connection.textContent = connection.dataset.lost;
  });

  chat.addEventListener("htmx:wsBeforeMessage", () => {
    const page = document.documentElement;
    atEnd = asked || page.scrollHeight - page.scrollTop - page.clientHeight < 160;
    asked = false;
  });

  chat.addEventListener("htmx:wsAfterMessage", () => {
    if (atEnd) window.scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" });
  });

  document.addEventListener("submit", (event) => {
    if (event.target.id !== "ask") return;
    asked = true;
    if (!everOpen) event.stopPropagation();
  }, true);

  document.addEventListener("keydown", (event) => {
    if (event.target.id !== "question" || event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    event.target.form.requestSubmit();
  });
})();
