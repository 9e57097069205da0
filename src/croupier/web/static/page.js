// What every page does: shows the state of its link, dismisses messages, and runs keys. It decides no rule of a game.
(() => {
  "use strict";

  const LOOK_AGAIN_MS = 3000;
  const REFUSED_MS = 60000; // a refused stream is asked for again so often: somebody may have signed in beside
  const link = () => document.getElementById("link");
  let downSince = null;
  let looking = null;

  // While the link is down the page asks by itself, so that it is up again whatever became of the stream.
  const lookAgain = async () => {
    try {
      const answer = await fetch("/api/v1/ready", { cache: "no-store", credentials: "omit" });
      if (answer.ok) { linkIsUp(); return; }
    } catch { /* still down */ }
    if (downSince !== null) looking = setTimeout(lookAgain, LOOK_AGAIN_MS);
  };

  const linkIsDown = () => {
    if (downSince === null) {
      downSince = new Date();
      looking = setTimeout(lookAgain, LOOK_AGAIN_MS);
      document.body.dispatchEvent(new CustomEvent("link-is-down"));
    }
    const line = link();
    if (!line) return;
    line.hidden = false;
    line.textContent = `The link to the server is down since ${downSince.toLocaleTimeString()}. What you see is from then; it catches up by itself.`;
    document.body.classList.add("link-down");
  };

  const linkIsUp = () => {
    const line = link();
    const wasDown = downSince !== null;
    downSince = null;
    clearTimeout(looking);
    document.body.classList.remove("link-down");
    if (line) {
      line.hidden = true;
      line.textContent = "";
    }
    if (!wasDown) return;
    for (const line of document.querySelectorAll(".no-answer")) line.querySelector("p").firstChild.data = "No answer came to your last press, as the link was down. It is up again: look whether it was done. ";
    document.body.dispatchEvent(new CustomEvent("link-is-back"));
  };

  // A press without an answer may have been done or not: nobody should believe either before the page has caught up.
  const sayNoAnswer = (context) => {
    const notice = document.getElementById("notice");
    if (!notice || !context || !context.request || context.request.method !== "POST" || context.response) return;
    const line = document.createElement("div");
    line.className = "notice bad no-answer";
    line.innerHTML = '<p>No answer came: the link to the server is down. The page shows by itself what was done when it is back; press again only if it was not. <small class="code">no_answer</small></p>'
      + '<button type="button" class="quiet" data-dismiss aria-label="Dismiss this message">&times;</button>';
    notice.replaceChildren(line);
  };

  // The link is up, but the stream is refused: a page that is told nothing any more must not look as if it were live.
  const sayNotTold = (connection) => {
    connection.config.reconnectDelay = connection.config.reconnectMaxDelay = REFUSED_MS;
    const notice = document.getElementById("notice");
    if (!notice || notice.querySelector(".not-told")) return;
    const line = document.createElement("div");
    line.className = "notice bad not-told";
    line.innerHTML = '<p>This page is no longer told what changes: its session or token has ended. What you see is from then. <a>Sign in again</a> <small class="code">not_signed_in</small></p>';
    line.querySelector("a").href = `/sign-in?next=${encodeURIComponent(location.pathname)}`;
    notice.replaceChildren(line);
    document.body.dispatchEvent(new CustomEvent("link-is-down"));
  };

  document.addEventListener("htmx:sse:error", (event) => {
    if (event.detail && event.detail.status === 401) sayNotTold(event.detail.connection);
    else linkIsDown();
  });
  document.addEventListener("htmx:sse:after:connection", () => {
    const line = document.querySelector(".not-told");
    if (!line) return;
    line.remove();
    document.body.dispatchEvent(new CustomEvent("link-is-back"));
  });
  document.addEventListener("htmx:sse:after:connection", linkIsUp);
  document.addEventListener("htmx:sse:after:message", linkIsUp);
  document.addEventListener("htmx:sse:close", (event) => {
    if (event.detail && event.detail.reason === "ended") linkIsDown();
  });
  window.addEventListener("offline", linkIsDown);
  document.addEventListener("htmx:error", (event) => {
    const context = event.detail && event.detail.ctx;
    if (context && context.response) return; // the server answered: what failed is the page
    linkIsDown();
    sayNoAnswer(context);
  });
  document.addEventListener("htmx:after:request", (event) => {
    const status = event.detail && event.detail.ctx && event.detail.ctx.response && event.detail.ctx.response.status;
    if (status) linkIsUp();
    // A command that was done clears the refusal of the one before.
    if (status && status < 400 && event.detail.ctx.request && event.detail.ctx.request.method === "POST") {
      const notice = document.getElementById("notice");
      if (notice) notice.replaceChildren();
    }
  });

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-dismiss]");
    if (button) button.closest(".notice").remove();
  });

  // A press is done once: the second click of a double click sends nothing, however fast the answer to the first was.
  // Only a chip may be laid, and taken back, as often as somebody clicks.
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (event.detail > 1 && button && button.form && button.form.method === "post" && !button.hasAttribute("data-many")) event.preventDefault();
  }, true);

  // Keys: an element with data-key is pressed by that key, unless somebody is typing.
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const typing = event.target.closest("input:not([type=radio]):not([type=checkbox]):not([type=range]), textarea, select");
    if (typing) return;
    const wanted = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    // The space bar presses what has the focus; only where nothing has, it is a key as any other.
    if (wanted === " " && event.target.closest("button, a, input, summary")) return;
    const dialog = document.querySelector("dialog:modal"); // what lies behind it is not there for anybody
    for (const one of document.querySelectorAll("[data-key]")) {
      if (one.dataset.key === wanted && !one.disabled && one.offsetParent !== null && (!dialog || dialog.contains(one))) {
        event.preventDefault();
        one.focus();
        one.click();
        return;
      }
    }
  });
})();
