"use strict";
// Colours and search. Everything else of the site works without scripts.
(() => {
  const root = document.currentScript.dataset.root;
  const COLOURS = { "": "as the system", light: "light", dark: "dark" };
  const MOST = 15;

  const kept = () => { try { return localStorage.getItem("colours") || ""; } catch { return ""; } };
  const show = (name) => {
    document.documentElement.dataset.colours = name;
    const button = document.getElementById("colours");
    if (button) button.textContent = `Colours: ${COLOURS[name]}`;
  };
  show(kept() in COLOURS ? kept() : "");

  // The index is large, so it is fetched when somebody begins to search; a script, because a page opened from the disk
  // may not fetch anything else.
  let index = null;
  let waiting = null;
  window.searchIndexIsThere = (rows) => {
    index = rows.map(([url, title, heading, text]) => ({ url, title, heading, text, all: `${title} ${heading} ${text}`.toLowerCase() }));
  };
  const load = () => {
    waiting ??= new Promise((done) => {
      const script = document.createElement("script");
      script.src = `${root}search-index.js`;
      script.onload = done;
      document.head.append(script);
    });
    return waiting;
  };

  const weight = (row, words, phrase) => {
    const title = row.title.toLowerCase();
    const heading = row.heading.toLowerCase();
    let sum = row.all.includes(phrase) ? 3 : 0;
    if (heading === phrase || heading === `croupier ${phrase}`) sum += 20;
    for (const word of words) {
      sum += (title.includes(word) ? 4 : 0) + (heading.includes(word) ? 6 : 0) + 1;
    }
    return sum;
  };
  const around = (text, word) => {
    const place = Math.max(0, text.toLowerCase().indexOf(word) - 40);
    const part = text.slice(place, place + 140);
    return (place ? "… " : "") + part + (place + 140 < text.length ? " …" : "");
  };
  const find = (asked) => {
    const phrase = asked.trim().toLowerCase();
    const words = phrase.split(/\s+/);
    return index
      .filter((row) => words.every((word) => row.all.includes(word)))
      .map((row) => ({ row, weight: weight(row, words, phrase) }))
      .sort((a, b) => b.weight - a.weight)
      .map(({ row }) => ({ ...row, part: around(row.text, words[0]) }));
  };
  const line = (row) => {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = root + row.url;
    link.textContent = row.heading && row.heading !== row.title ? `${row.title}: ${row.heading}` : row.title;
    const part = document.createElement("small");
    part.textContent = row.part;
    item.append(link, part);
    return item;
  };

  document.addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("colours");
    button.hidden = false;
    show(document.documentElement.dataset.colours);
    button.addEventListener("click", () => {
      const names = Object.keys(COLOURS);
      const next = names[(names.indexOf(document.documentElement.dataset.colours) + 1) % names.length];
      try { localStorage.setItem("colours", next); } catch { /* then for this page only */ }
      show(next);
    });

    // Without scripts the style sheet does it, in browsers that can.
    const menu = document.querySelector(".menu");
    const wide = matchMedia("(min-width: 60rem)");
    const unfold = () => { menu.open = wide.matches; };
    wide.addEventListener("change", unfold);
    unfold();

    const form = document.getElementById("search");
    const input = document.getElementById("search-words");
    const found = document.getElementById("search-found");
    form.hidden = false;
    const close = () => { found.hidden = true; };
    const search = async () => {
      await load();
      // Looked at after the wait: it may have been emptied meanwhile.
      if (input.value.trim().length < 2) return close();
      const rows = find(input.value);
      const count = document.createElement("p");
      count.textContent = rows.length > MOST ? `${rows.length} places, the best ${MOST}` : `${rows.length} place${rows.length === 1 ? "" : "s"}`;
      const list = document.createElement("ul");
      list.append(...rows.slice(0, MOST).map(line));
      found.replaceChildren(count, list);
      found.hidden = false;
    };
    input.addEventListener("input", search);
    input.addEventListener("focus", load);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      found.querySelector("a")?.click();
    });
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape") close();
      if (event.key === "/" && !/^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName)) {
        event.preventDefault();
        input.focus();
      }
    });
    document.addEventListener("click", (event) => { if (!form.contains(event.target)) close(); });
  });
})();
