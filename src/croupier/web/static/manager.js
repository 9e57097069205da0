// The manager's pages: prints, and gives a refused form a new id, since a refused card or PIN stays refused under its own.
(() => {
  "use strict";

  for (const button of document.querySelectorAll("[data-print]")) {
    button.hidden = false;
    button.addEventListener("click", () => window.print());
  }

  const newId = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (one) => one.toString(16).padStart(2, "0")).join("");

  document.addEventListener("htmx:after:request", (event) => {
    const context = event.detail && event.detail.ctx;
    const status = context && context.response && context.response.status;
    const form = context && context.sourceElement;
    const id = form && form.elements && form.elements.namedItem("command");
    // Only a clear no: after a failure of the server the same id must come again, or it might be done twice.
    if (id && status >= 400 && status < 500) id.value = newId();
  });
})();
