// SPDX-License-Identifier: MIT
// Hardware: the values that were asked for and those that are, late cycles, callback times, bridges.
import { svg } from "./controls.js";
import { el, figure, follow, fresh, say, section } from "./parts.js";

const names = {
  sampleRate: "Sample rate", ioBufferFrames: "Buffer", ioBufferDuration: "Buffer duration",
  inputLatency: "Input latency", outputLatency: "Output latency",
  inputChannels: "Input channels", outputChannels: "Output channels",
};
const seconds = 120;
const series = [["p50", "Median"], ["p99", "99 %"], ["max", "Longest"]];
// Late cycles and times outlive the view, so that a look elsewhere loses none of them.
const late = [];
const history = [];

function value(amount, unit) {
  return unit === "s" && amount !== null ? figure(amount * 1000, 2, "ms") : figure(amount, 1, unit);
}

/** A table whose first column heads its rows; answers the element and the function that fills it. */
function table(caption, heads, key, cells) {
  const body = el("tbody");
  const node = el("div", { class: "v-scroll", tabindex: "0", role: "region", "aria-label": caption },
    el("table", {}, el("caption", { class: "v-hidden" }, caption),
      el("thead", {}, el("tr", {}, heads.map((head) => el("th", { scope: "col" }, head)))), body));
  const fill = follow(body, key, () => {
    const parts = heads.map((head, index) => el(index ? "td" : "th", index ? { "data-head": head } : { scope: "row" }));
    return {
      node: el("tr", {}, parts),
      show: (item) => cells(item).forEach((text, index) => say(parts[index], text)),
    };
  });
  return { node, fill };
}

/** The chart of callback times over two minutes, with the length of a cycle as its top. */
function chart() {
  const width = 600;
  const height = 160;
  const lines = series.map(([id]) => svg("polyline", { class: `v-line-${id}`, fill: "none" }));
  const top = el("span", { class: "v-top" });
  const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", "aria-hidden": "true" });
  for (const share of [0.25, 0.5, 0.75]) {
    picture.append(svg("line", { class: "v-grid", x1: 0, x2: width, y1: height * share, y2: height * share }));
  }
  picture.append(...lines);
  const values = series.map(([id, title]) => {
    const figure = el("output", {});
    return { id, figure, node: el("div", { class: `v-key-${id}` }, el("span", {}, title), figure) };
  });
  const node = el("figure", { class: "v-chart" }, el("div", { class: "v-plot" }, picture, top,
    el("span", { class: "v-span" }, "the last two minutes")), el("figcaption", {}, values.map((one) => one.node)));
  return {
    node,
    show(periodMicroseconds, now) {
      const highest = Math.max(...history.map((point) => point.max), 1);
      // Small times stay visible: the top is the cycle"s length only when the times come near it.
      const scale = Math.min(periodMicroseconds || highest * 1.25, highest * 1.25);
      series.forEach(([id], index) => {
        const points = history.map((point) =>
          `${(width * (1 - (now - point.at) / 1000 / seconds)).toFixed(1)},${(height * (1 - point[id] / scale)).toFixed(1)}`);
        lines[index].setAttribute("points", points.join(" "));
      });
      say(top, `${figure(scale, 0)} µs`);
      const latest = history.at(-1);
      for (const one of values) say(one.figure, latest ? `${figure(latest[one.id], 0)} µs` : "–");
    },
  };
}

function mount(root, { live }) {
  const server = el("p", { class: "v-lead" });
  const load = el("p", { class: "v-quiet" });
  const values = table("Hardware values", ["Value", "Asked for", "Is", "Reason"], (row) => row.id,
    ({ id, preferred, actual, unit, reason }) => [names[id] ?? id, value(preferred, unit), value(actual, unit), reason ?? ""]);
  const times = chart();
  const lateLine = el("p", { role: "status" });
  const lateTable = table("Late cycles", ["Time", "Late by", "Probable cause"], (row) => row.key,
    ({ at, delayMicroseconds, cause }) =>
      [new Date(at * 1000).toLocaleTimeString(), figure(delayMicroseconds === null ? null : delayMicroseconds / 1000, 2, "ms"), cause ?? "–"]);
  const routes = table("Routes", ["Route", "Ports", "Latency", "Delay", "Alignment"], (row) => row.name, (route) => [
    route.name, route.available ? "available" : route.fallback ? `gone; heard on ${route.fallback}` : "gone",
    route.ms(route.latencyFrames), route.ms(route.delayFrames),
    route.alignment === "free" ? "free" : `${route.alignment}, off by ${figure(route.alignmentErrorFrames, 0, "frames")}`]);
  const helpers = table("Bridges", ["Route", "Program", "Lock", "Clock", "Delay", "Off by", "Moved", "Late", "Reason"],
    (row) => row.name, ({ name, helper, helper: { bridge } }) => [
      name, `${helper.program}, ${helper.state}${helper.restarts ? `, started again ${helper.restarts}×` : ""}`,
      bridge?.lock ?? "–", figure(bridge?.ppm, 1, "ppm"), figure(bridge?.delayMilliseconds, 2, "ms"),
      figure(bridge?.errorFrames, 2, "frames"), figure(bridge?.resyncs), figure(bridge?.xruns),
      helper.reason ?? bridge?.reason ?? ""]);
  const bridges = section("Bridges and networks", helpers.node);

  function note(key, at, details) {
    if (late.some((known) => known.key === key)) return;
    late.unshift({ key, at, ...details });
    late.length = Math.min(late.length, 50);
  }

  function show(status) {
    const { engine, hardware } = status;
    const rate = hardware.sampleRate.actual;
    const now = Date.now();
    say(server, `${status.server.name}: ${status.server.state}`
      + (status.server.driver ? `, driver ${status.server.driver}` : "")
      + (status.server.owned ? ", started by the host" : "")
      + (status.server.restarts ? `, attached again ${status.server.restarts}×` : ""));
    say(load, `Load ${figure(engine.loadPercent, 0)} %, ${engine.cycles} cycles`);
    values.fill(Object.keys(names).map((id) => ({ id, ...hardware[id] })));
    if (engine.callbackMicroseconds) history.push({ at: now, ...engine.callbackMicroseconds });
    while (history.length && now - history[0].at > seconds * 1000) history.shift();
    times.show((hardware.ioBufferDuration.actual ?? 0) * 1e6, now);
    const last = engine.lastXrun;
    if (last) note(last.time.monotonicNanoseconds, last.time.wallSeconds, last);
    say(lateLine, engine.xruns === 0 ? "No late cycle since the host began."
      : engine.xruns === 1 ? "One late cycle since the host began." : `${engine.xruns} late cycles since the host began.`);
    lateTable.node.hidden = late.length === 0;
    lateTable.fill(late);
    const ms = (frames) => (frames === null || !rate ? "–" : `${figure(frames * 1000 / rate, 2, "ms")} (${frames} frames)`);
    routes.fill(status.routes.map((route) => ({ ...route, ms })));
    const helped = status.routes.filter((route) => route.helper);
    bridges.hidden = helped.length === 0;
    helpers.fill(helped);
  }

  root.append(el("h1", {}, "Hardware"), section("Server", server, load, values.node),
    section("Time of a cycle’s work", times.node),
    section("Late cycles", lateLine, lateTable.node), section("Routes", routes.node), bridges);
  const reading = fresh(live, async () => show(await live.call("status")), {
    everyMs: 1000,
    kinds: ["hardwareChanged", "latencyChanged", "serverBack", "serverLost", "routeAvailable", "routeUnavailable", "helper"],
  });
  const off = live.on("event", ({ kind, time, details }) => {
    if (kind === "xrun") note(time.monotonicNanoseconds, time.wallSeconds, details);
  });
  return () => {
    reading.stop();
    off();
  };
}

export default { id: "hardware", title: "Hardware", mount };
