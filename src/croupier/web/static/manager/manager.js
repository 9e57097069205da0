// The manager's pages: prints, says a refusal at its field too, and gives a refused form a new id, since a refused card or PIN stays refused under its own.
(() => {
  "use strict";

  // On a narrow screen the tab of this page may lie outside the row of tabs.
  const tabs = document.querySelector(".places");
  const current = tabs && tabs.querySelector("[aria-current]");
  if (current) tabs.scrollLeft = current.offsetLeft - (tabs.clientWidth - current.offsetWidth) / 2;

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
    if (form && form.elements) sent = form;
  });

  // A refusal that names a field is said there as well, until the form is sent again.
  let sent = null;
  const unmark = (form) => {
    for (const line of form.querySelectorAll(".field-problem[data-marked]")) line.remove();
    for (const field of form.querySelectorAll("[data-marked]")) {
      field.removeAttribute("aria-invalid");
      field.removeAttribute("aria-describedby");
      delete field.dataset.marked;
    }
  };
  document.addEventListener("submit", (event) => unmark(event.target));
  document.addEventListener("htmx:after:swap", () => {
    const notice = document.querySelector("#notice [data-field]");
    if (!notice || !sent || notice.dataset.said) return;
    notice.dataset.said = "1";
    const found = sent.elements.namedItem(notice.dataset.field);
    const field = found instanceof RadioNodeList ? found[0] : found;
    if (!field || field.type === "hidden") return;
    const line = document.createElement("p");
    line.id = `problem-${notice.dataset.field}`;
    line.className = "field-problem";
    line.dataset.marked = "1";
    line.textContent = notice.querySelector("p").firstChild.textContent.trim();
    // For boxes, the line stands below the name of their group.
    const legend = ["checkbox", "radio"].includes(field.type) && field.closest("fieldset") && field.closest("fieldset").querySelector("legend");
    (legend || field.closest("td, label") || field).after(line);
    field.dataset.marked = "1";
    field.setAttribute("aria-invalid", "true");
    field.setAttribute("aria-describedby", line.id);
    field.focus();
  });
})();
