// The lab's pages: panels stay open or closed as their reader has them, also when one was opened while an answer was made.
(() => {
  "use strict";
  const panels = () => document.querySelectorAll("details[id]");
  let wereOpen = new Map();
  document.addEventListener("htmx:before:swap", () => { wereOpen = new Map([...panels()].map((one) => [one.id, one.open])); });
  document.addEventListener("htmx:after:swap", () => {
    for (const one of panels()) if (wereOpen.has(one.id)) one.open = wereOpen.get(one.id);
  });
})();
