// Light, dark or as the system: set before the page is drawn, so that nothing flashes. A button with `data-theme-switch`
// goes from one to the next; pages that show other choices of the same kind read and keep them as this does.
(() => {
  "use strict";
  const root = document.documentElement;
  const names = { "": "Theme: system", light: "Theme: light", dark: "Theme: dark" };
  const read = () => { try { return localStorage.getItem("croupier.theme") || ""; } catch { return ""; } };
  const show = (theme) => {
    if (theme in names && theme) root.dataset.theme = theme; else delete root.dataset.theme;
    for (const button of document.querySelectorAll("[data-theme-switch]")) {
      button.hidden = false;
      button.setAttribute("aria-label", names[theme] || names[""]);
      button.title = names[theme] || names[""];
    }
  };
  show(read());
  document.addEventListener("DOMContentLoaded", () => show(read()));
  window.addEventListener("storage", (event) => { if (event.key === "croupier.theme") show(read()); });
  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-theme-switch]")) return;
    const order = Object.keys(names);
    const next = order[(order.indexOf(read()) + 1) % order.length];
    try { localStorage.setItem("croupier.theme", next); } catch { /* a private window: for this page alone */ }
    show(next);
  });
})();
