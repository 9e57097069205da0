// How far a simulation is stands in the title of its tab, too.
(() => {
  "use strict";
  const show = () => {
    const run = document.querySelector("[data-title]");
    if (run) document.title = run.dataset.title;
  };
  show();
  document.addEventListener("htmx:after:swap", show);
})();
