// Training: in a drill the bar of a computation moves by its estimate, and whoever answers by keyboard keeps the focus.
(() => {
  "use strict";
  const START = performance.now();
  let began = 0;
  setInterval(() => {
    const bar = document.getElementById("drill-progress");
    if (!bar) { began = 0; return; }
    began = began || performance.now() - Math.min(2000, performance.now() - START);
    const share = (performance.now() - began) / (1000 * Number(bar.dataset.seconds));
    bar.value = Math.min(95, 100 * share); // an estimate is never the end
  }, 250);

  let hadFocus = false;
  document.addEventListener("htmx:before:swap", () => {
    const now = document.activeElement;
    hadFocus = Boolean(now && now.closest && now.closest("#drill-answers, #drill-start"));
  });
  document.addEventListener("htmx:after:swap", () => {
    const now = document.activeElement;
    const isLost = !now || now === document.body || now.disabled || !now.isConnected;
    const next = document.querySelector("#d-next") || document.querySelector("#drill-answers button:not(:disabled)");
    if (hadFocus && next && (isLost || document.getElementById("d-next"))) next.focus({ preventScroll: true });
  });
})();
