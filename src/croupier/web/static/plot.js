// Draws the plots of a page by uPlot: every figure with data-plot, when the page loads and after parts of it change.
// Values come from the server; here they are only drawn and read out.
(() => {
  "use strict";

  const NARROW = 480;
  const SLANTED_PX = 14;
  const DASHES = [[7, 5], [2, 4]];
  const MARK_DASHES = [[6, 4], [2, 3], [8, 3, 2, 3]];
  const drawn = new WeakMap();
  const all = new Set();

  // How a value reads, as `value_text` of reports/plot.py has it.
  const digits = (value) => {
    const size = Math.abs(value);
    if (value === 0) return "0";
    if (size < 1e-7 || size >= 1e15) return value.toPrecision(3);
    const decimals = Math.max(0, 6 - size.toFixed(0).length, 3 - Math.floor(Math.log10(size)));
    return value.toLocaleString("en-US", { maximumFractionDigits: decimals });
  };
  const money = (value) => {
    const size = Math.abs(value);
    const cents = size < 100 && Math.round(size * 100) % 100 !== 0 ? 2 : 0;
    const text = size.toLocaleString("en-US", { minimumFractionDigits: cents, maximumFractionDigits: cents });
    return (value < 0 && text !== "0" ? "-$" : "$") + text;
  };
  const asText = (value, form) => {
    if (form === "share") return `${digits(100 * value)}%`;
    return form === "dollars" ? money(value) : digits(value);
  };
  // Shorter, at an axis: $12k, 1.5M.
  const atAxis = (value, form) => {
    if (form === "share") return `${Number((100 * value).toPrecision(4))}%`;
    const sign = (value < 0 ? "-" : "") + (form === "dollars" ? "$" : "");
    const size = Math.abs(value);
    if (size >= 1e6) return `${sign}${Number((size / 1e6).toPrecision(4))}M`;
    return size >= 1e4 ? `${sign}${Number((size / 1e3).toPrecision(4))}k` : asText(value, form);
  };

  // As this theme has it: an element resolves what the name stands for.
  const probe = document.createElement("i");
  probe.hidden = true;
  document.body.append(probe);
  const color = (name) => { probe.style.color = `var(${name})`; return getComputedStyle(probe).color; };
  const faint = (rgb, alpha) => rgb.replace("rgb(", "rgba(").replace(")", `, ${alpha})`);

  // Bands have the color of the line they lie around, which is the next one.
  const colorsOf = (plot) => {
    let used = 0;
    return plot.lines.map((line) => {
      const found = line.kind === "exact" ? color("--soft-ink") : color(`--plot-${(used % 6) + 1}`);
      if (line.kind !== "exact" && line.kind !== "band") used += 1;
      return found;
    });
  };

  // One column of x for all lines, and for each line where its columns are.
  const columnsOf = (plot) => {
    const tables = plot.lines.map((line) => [line.x, ...(line.y.length ? [line.y] : []), ...(line.low.length ? [line.low, line.high] : [])]);
    let next = 1;
    const places = plot.lines.map((line) => {
      const place = {};
      if (line.y.length) { place.y = next; next += 1; }
      if (line.low.length) { place.low = next; place.high = next + 1; next += 2; }
      return place;
    });
    return { data: uPlot.join(tables), places };
  };

  // From the first value to the last, or what was chosen; bars need room for half of one at each end.
  const rangeOfX = (plot) => (chart, low, high) => {
    const names = plot.x_names.length;
    if (names) return [-0.6, names - 0.4];
    if (low === null || low === undefined) return [0, 1];
    const bars = plot.lines.find((line) => line.kind === "bars" && line.x.length > 1);
    const half = bars ? (bars.x[1] - bars.x[0]) / 2 : 0;
    return low === high ? [low * 0.9, high * 1.1 || 1] : [low - half, high + half];
  };

  const rangeOfY = (plot) => (chart, low, high) => {
    if (low === null || low === undefined) return [0, 1];
    if (plot.log_y) return [10 ** Math.floor(Math.log10(low) - 0.05), 10 ** Math.ceil(Math.log10(high))];
    if (plot.lines.some((line) => line.kind === "bars")) { low = Math.min(low, 0); high = Math.max(high, 0); }
    if (low === 0 && high === 0) return [0, 1]; // nothing yet: an axis all the same
    const room = (high - low || Math.abs(high)) * 0.06;
    return [low === 0 ? 0 : low - room, high === 0 ? 0 : high + room];
  };

  const seriesOf = (plot, places, colors) => {
    const series = [{}];
    let exacts = 0;
    plot.lines.forEach((line, number) => {
      const stroke = colors[number];
      if (places[number].y) {
        // Points rounded to whole pixels would make a straight line wavy; only bars need crisp edges.
        const one = { label: line.name, stroke, width: 2, pxAlign: line.kind === "bars" ? 1 : 0, points: { show: line.kind === "line" && line.x.length <= 24, size: 6, fill: stroke } };
        if (line.kind === "exact") { one.dash = DASHES[exacts % 2]; one.width = 1.5; exacts += 1; }
        if (line.kind === "steps") one.paths = uPlot.paths.stepped({ align: 1 });
        if (line.kind === "bars") {
          one.paths = uPlot.paths.bars({ size: [plot.x_names.length ? 0.7 : 1, 90] });
          one.fill = faint(stroke, 0.75);
          one.width = plot.x_names.length ? 1 : 0;
          one.fillTo = (chart) => (plot.log_y ? chart.scales.y.min : 0);
        }
        series.push(one);
      }
      if (places[number].low) {
        for (const side of ["low", "high"]) series.push({ label: `${line.name}, ${side}`, stroke: "transparent", width: 0, pxAlign: 0, points: { show: false } });
      }
    });
    return series;
  };

  // An inner band is darker.
  const bandDepth = (plot, number) => 0.2 + 0.15 * plot.lines.slice(0, number).filter((line) => line.kind === "band").length;

  const bandsOf = (plot, places, colors) => plot.lines.flatMap((line, number) => (
    line.low.length ? [{ series: [places[number].high, places[number].low], fill: faint(colors[number], bandDepth(plot, number)) }] : []
  ));

  // Where a logarithmic axis has its numbers: at powers of ten, and between them where there is room.
  const logSplits = (low, high, isTight) => {
    const decades = Math.log10(high / low);
    let between = decades < 2.2 ? [1, 2, 5] : [1, 3];
    if (decades > 4 || (isTight && decades > 1)) between = [1];
    const found = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power += 1) {
      for (const step of between) if (step * 10 ** power >= low * (1 - 1e-9) && step * 10 ** power <= high * (1 + 1e-9)) found.push(step * 10 ** power);
    }
    return found;
  };

  const axesOf = (plot, width) => {
    const font = `${width < NARROW ? 11 : 12}px ${getComputedStyle(document.body).fontFamily}`;
    const shared = { font, labelFont: font, stroke: color("--soft-ink"), grid: { stroke: color("--plot-grid"), width: 1 }, ticks: { stroke: color("--line"), width: 1, size: 5 } };
    const names = plot.x_names;
    const longest = Math.max(0, ...names.map((name) => name.length));
    const room = (width - 80) / (names.length || 1);
    // So many names (every hour of a week) that they would lie on each other even slanted: only some of them are written.
    const step = room < SLANTED_PX ? Math.ceil((longest * 6.8 + 12) / room) : 1;
    const slanted = step === 1 && names.some((name, place) => place > 0 && (name.length + names[place - 1].length) * 3.4 + 4 > room);
    const x = { ...shared, label: plot.x_label, labelSize: 20, size: slanted ? 22 + Math.min(longest * 4.6, 70) : 32, space: 64 };
    if (names.length) {
      const written = [...names.keys()].filter((place) => place % step === 0);
      Object.assign(x, { grid: { show: false }, splits: () => written, values: () => written.map((place) => names[place]), rotate: slanted ? 40 : 0 });
    } else {
      x.values = (chart, splits) => splits.map((value) => (value === null ? null : atAxis(value, plot.x_form)));
    }
    const y = {
      ...shared, label: plot.y_label, labelSize: 20, size: width < NARROW ? 56 : 66,
      values: (chart, splits) => splits.map((value) => (value === null ? null : atAxis(value, plot.y_form))),
    };
    if (plot.log_x || plot.log_y) x.filter = y.filter = (chart, splits) => splits;
    if (plot.log_x) x.splits = (chart, axis, low, high) => logSplits(low, high, width < NARROW);
    if (plot.log_y) y.splits = (chart, axis, low, high) => logSplits(low, high, true);
    return [x, y];
  };

  const drawMarks = (plot) => (chart) => {
    const { ctx, bbox } = chart;
    const ratio = devicePixelRatio || 1;
    ctx.save();
    ctx.lineWidth = ratio;
    ctx.setLineDash([]);
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    if (!plot.log_y && chart.scales.y.min < 0 && chart.scales.y.max > 0) {
      ctx.strokeStyle = color("--line-strong");
      const at = Math.round(chart.valToPos(0, "y", true));
      ctx.beginPath(); ctx.moveTo(bbox.left, at); ctx.lineTo(bbox.left + bbox.width, at); ctx.stroke();
    }
    ctx.strokeStyle = color("--ink");
    plot.marks.forEach((mark, number) => {
      const at = Math.round(chart.valToPos(mark.x, "x", true));
      ctx.setLineDash(MARK_DASHES[number % 3].map((length) => length * ratio));
      ctx.beginPath(); ctx.moveTo(at, bbox.top); ctx.lineTo(at, bbox.top + bbox.height); ctx.stroke();
    });
    ctx.restore();
  };

  const xText = (plot, x) => (plot.x_names.length ? plot.x_names[x] : asText(x, plot.x_form));

  // What is under the cursor, in words: the lines that have a value there.
  const reading = (figure, index) => {
    const { plot, chart, places } = figure;
    const x = chart.data[0][index];
    const parts = plot.lines.flatMap((line, number) => {
      const value = (column) => (column === undefined || !chart.series[column].show ? null : chart.data[column][index]);
      // A level line holds everywhere, though it has only two points.
      const isLevel = line.kind === "exact" && line.y.every((one) => one === line.y[0]) && chart.series[places[number].y].show;
      const y = isLevel ? line.y[0] : value(places[number].y);
      const low = value(places[number].low);
      const high = value(places[number].high);
      const isThere = (one) => one !== null && one !== undefined;
      if (!isThere(y) && !isThere(low)) return [];
      const middle = isThere(y) ? asText(y, plot.y_form) : "";
      const around = isThere(low) ? `${asText(low, plot.y_form)} to ${asText(high, plot.y_form)}` : "";
      return [`${line.name} ${middle}${middle && around ? ` (${around})` : around}`];
    });
    return [`${plot.x_label} ${xText(plot, x)}`, parts.join("; ")];
  };

  const show = (figure, index) => {
    const { area, read, chart } = figure;
    read.replaceChildren();
    if (index === null || index === undefined) {
      const hint = document.createElement("span");
      hint.className = "plot-hint";
      hint.textContent = figure.plot.x_names.length ? "Point at it, or use the arrow keys, to read values." : "Point at it, or use the arrow keys, to read values; drag to look closer.";
      read.append(hint);
      return;
    }
    const [where, values] = reading(figure, index);
    const head = document.createElement("b");
    head.textContent = where;
    read.append(head, `: ${values}`);
    figure.index = index;
    area.setAttribute("aria-valuemax", String(chart.data[0].length - 1));
    area.setAttribute("aria-valuenow", String(index));
    area.setAttribute("aria-valuetext", `${where}: ${values}`);
  };

  const moveTo = (figure, index) => {
    const { chart } = figure;
    const last = chart.data[0].length - 1;
    const at = Math.max(0, Math.min(last, index));
    const left = Math.max(0, Math.min(chart.over.clientWidth, chart.valToPos(chart.data[0][at], "x")));
    chart.setCursor({ left, top: chart.over.clientHeight / 2 }, false);
    show(figure, at);
  };

  const onKey = (figure) => (event) => {
    const last = figure.chart.data[0].length - 1;
    const page = Math.max(1, Math.round(last / 10));
    const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: page, PageDown: -page };
    const here = figure.index === undefined ? -1 : figure.index;
    let next = null;
    if (event.key in steps) next = here === -1 ? 0 : here + steps[event.key];
    else if (event.key === "Home") next = 0;
    else if (event.key === "End") next = last;
    else if (event.key === "Escape") { whole(figure); return; }
    if (next === null) return;
    event.preventDefault();
    moveTo(figure, next);
  };

  const whole = (figure) => {
    figure.chart.setData(figure.chart.data, true);
    figure.reset.hidden = true;
  };

  const SVG = "http://www.w3.org/2000/svg";
  const sample = (kind, stroke, dash, depth) => {
    const picture = document.createElementNS(SVG, "svg");
    picture.setAttribute("viewBox", "0 0 32 18");
    picture.setAttribute("aria-hidden", "true");
    const solid = kind === "bars" || kind === "band";
    const part = document.createElementNS(SVG, solid ? "rect" : "path");
    const values = solid
      ? { x: 3, y: 2, width: 26, height: 14, fill: stroke, "fill-opacity": kind === "band" ? depth : 0.8 }
      : { d: kind === "mark" ? "M16 0V18" : "M1 9H31", stroke, "stroke-width": 3, "stroke-dasharray": dash ? dash.join(" ") : "none" };
    for (const [name, value] of Object.entries(values)) part.setAttribute(name, String(value));
    picture.append(part);
    return picture;
  };

  // A button for each line, which hides and shows it; a single line needs none.
  const fillKeys = (figure, colors) => {
    const { plot, chart, places, keys } = figure;
    const many = plot.lines.length > 1;
    let exacts = 0;
    const items = plot.lines.flatMap((line, number) => {
      const dash = line.kind === "exact" ? DASHES[exacts++ % 2] : null;
      if (!many) return [];
      const button = document.createElement("button");
      button.type = "button";
      button.setAttribute("aria-pressed", "true");
      button.append(sample(line.kind, colors[number], dash, bandDepth(plot, number)), line.name);
      button.addEventListener("click", () => {
        const shown = button.getAttribute("aria-pressed") !== "true";
        button.setAttribute("aria-pressed", String(shown));
        for (const column of Object.values(places[number])) chart.setSeries(column, { show: shown });
      });
      return [button];
    });
    const marks = plot.marks.map((mark, number) => {
      const text = document.createElement("span");
      text.className = "mark-key";
      text.append(sample("mark", color("--ink"), MARK_DASHES[number % 3]), `${mark.name} ${xText(plot, mark.x)}`);
      return text;
    });
    keys.replaceChildren(...[...items, ...marks].map((part) => {
      const item = document.createElement("li");
      item.append(part);
      return item;
    }));
    keys.hidden = items.length + marks.length === 0;
  };

  // A plot as a picture, on its ground and under its title, and as the numbers that the server sent.
  const save = (name, blob) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  };

  const asPicture = (figure) => {
    const drawing = figure.chart.ctx.canvas;
    const scale = devicePixelRatio || 1;
    const top = Math.round(36 * scale);
    const canvas = document.createElement("canvas");
    canvas.width = drawing.width;
    canvas.height = drawing.height + top;
    const pen = canvas.getContext("2d");
    pen.fillStyle = color("--sheet");
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.fillStyle = color("--ink");
    pen.font = `600 ${Math.round(15 * scale)}px ${getComputedStyle(document.body).fontFamily}`;
    pen.fillText(figure.plot.title, 12 * scale, 24 * scale);
    pen.drawImage(drawing, 0, top);
    canvas.toBlob((blob) => save(`${figure.element.id}.png`, blob));
  };

  const asValues = (figure) => {
    const quoted = (text) => `"${String(text).replaceAll('"', '""')}"`;
    const { plot } = figure;
    const lines = [["line", plot.x_label, "value", "low", "high"].map(quoted).join(",")];
    for (const line of plot.lines) {
      line.x.forEach((x, place) => {
        const at = plot.x_names.length ? quoted(plot.x_names[x] ?? x) : x;
        lines.push([quoted(line.name), at, line.y[place] ?? "", line.low[place] ?? "", line.high[place] ?? ""].join(","));
      });
    }
    save(`${figure.element.id}.csv`, new Blob([`${lines.join("\n")}\n`], { type: "text/csv" }));
  };

  const fillDownloads = (figure) => {
    const row = document.createElement("p");
    row.className = "plot-save no-print";
    for (const [label, action] of [["PNG", asPicture], ["CSV", asValues]]) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "quiet";
      button.textContent = label;
      button.setAttribute("aria-label", `Download this plot as ${label}`);
      button.addEventListener("click", () => action(figure));
      row.append(button);
    }
    return row;
  };

  const sizeOf = (area) => {
    const width = Math.max(200, Math.floor(area.clientWidth));
    return { width, height: Math.round(Math.min(400, Math.max(230, width * 0.55))) };
  };

  const optionsOf = (figure, colors) => {
    const { plot, places } = figure;
    const names = plot.x_names.length;
    const size = sizeOf(figure.area);
    return {
      ...size,
      legend: { show: false },
      padding: [12, names ? 8 : 16, 0, 0],
      cursor: { y: false, drag: { x: !names, y: false, setScale: !names }, focus: { prox: -1 }, points: { show: plot.lines.every((line) => line.kind !== "bars") } },
      scales: {
        x: { time: false, distr: plot.log_x ? 3 : 1, range: rangeOfX(plot) },
        y: { distr: plot.log_y ? 3 : 1, range: rangeOfY(plot) },
      },
      axes: axesOf(plot, size.width),
      series: seriesOf(plot, places, colors),
      bands: bandsOf(plot, places, colors),
      hooks: {
        draw: [drawMarks(plot)],
        setCursor: [(chart) => { if (chart.cursor.left >= 0 && chart.cursor.event) show(figure, chart.cursor.idx); }],
        setSelect: [(chart) => { if (chart.select.width > 0) figure.reset.hidden = false; }],
      },
    };
  };

  const shapeOf = (plot) => JSON.stringify([plot.lines.map((line) => [line.name, line.kind, line.y.length > 0, line.low.length > 0, line.x.length <= 24]), plot.marks, plot.x_names, plot.x_form, plot.y_form, plot.log_x, plot.log_y, plot.x_label, plot.y_label]);

  const make = (figure) => {
    if (figure.chart) figure.chart.destroy();
    const { data, places } = columnsOf(figure.plot);
    figure.places = places;
    const colors = colorsOf(figure.plot);
    figure.chart = new uPlot(optionsOf(figure, colors), data, figure.area);
    figure.width = figure.area.clientWidth;
    figure.reset.hidden = true;
    fillKeys(figure, colors);
    figure.index = undefined;
    show(figure, null);
  };

  const begin = (element, text) => {
    const place = element.querySelector(".plot-drawn");
    const area = document.createElement("div");
    area.className = "plot-area";
    area.tabIndex = 0;
    for (const [name, value] of Object.entries({ role: "slider", "aria-labelledby": `${element.id}-title`, "aria-valuemin": "0", "aria-valuenow": "0" })) area.setAttribute(name, value);
    const read = document.createElement("p");
    read.className = "plot-read";
    const keys = document.createElement("ul");
    keys.className = "plot-keys";
    const reset = document.createElement("button");
    reset.type = "button";
    reset.className = "quiet";
    reset.textContent = "Show the whole range";
    reset.hidden = true;
    place.replaceChildren(area, read, reset, keys);
    const plot = JSON.parse(text);
    const figure = { element, area, read, keys, reset, text, plot };
    area.setAttribute("aria-valuetext", "arrow keys read the values");
    area.setAttribute("aria-valuemax", String(Math.max(1, columnsOf(plot).data[0].length - 1)));
    area.addEventListener("keydown", onKey(figure));
    area.addEventListener("mouseleave", () => { if (document.activeElement !== area) show(figure, null); });
    reset.addEventListener("click", () => { whole(figure); area.focus(); });
    make(figure);
    place.append(fillDownloads(figure));
    drawn.set(area, figure);
    all.add(figure);
    sizes.observe(area);
  };

  const update = (figure, text) => {
    const before = shapeOf(figure.plot);
    figure.text = text;
    figure.plot = JSON.parse(text);
    const { index } = figure;
    const atEnd = index === figure.chart.data[0].length - 1;
    if (shapeOf(figure.plot) !== before) make(figure);
    else figure.chart.setData(columnsOf(figure.plot).data, figure.reset.hidden); // what is zoomed or hidden stays so
    const last = figure.chart.data[0].length - 1;
    if (index !== undefined) show(figure, atEnd ? last : Math.min(index, last));
  };

  const sizes = new ResizeObserver((entries) => {
    for (const entry of entries) {
      const figure = drawn.get(entry.target);
      if (!figure || !entry.target.isConnected || entry.target.clientWidth === 0) continue;
      const crossed = (figure.width < NARROW) !== (entry.target.clientWidth < NARROW) || figure.plot.x_names.length > 0;
      if (figure.width === entry.target.clientWidth) continue;
      if (crossed) make(figure);
      else { figure.width = entry.target.clientWidth; figure.chart.setSize(sizeOf(entry.target)); }
    }
  });

  const drawAll = () => {
    for (const figure of all) {
      if (!figure.element.isConnected || !figure.area.isConnected) {
        sizes.unobserve(figure.area);
        figure.chart.destroy();
        all.delete(figure);
      }
    }
    for (const element of document.querySelectorAll("figure[data-plot]")) {
      const text = element.querySelector('script[type="application/json"]').textContent;
      const area = element.querySelector(".plot-area");
      const figure = area && drawn.get(area);
      if (!figure) begin(element, text);
      else if (figure.text !== text) update(figure, text);
    }
  };

  drawAll();
  document.addEventListener("htmx:after:swap", drawAll);
  document.addEventListener("htmx:after:settle", drawAll);
  const drawAgain = () => { for (const figure of all) make(figure); };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAgain);
  new MutationObserver(drawAgain).observe(document.documentElement, { attributeFilter: ["data-theme"] });
})();
