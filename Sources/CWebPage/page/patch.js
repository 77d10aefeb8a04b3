// SPDX-License-Identifier: MIT
// Patch: the ports of all JACK clients, who has connected them, and connecting them by hand.
import { svg } from "./controls.js";
import { attempt, el, follow, fresh, say } from "./parts.js";

const makers = {
  host: "made by the host, as the graph asks",
  rule: "made by a patch rule of the graph",
  user: "made by hand",
  adoption: "made by the host for an adopted program",
  program: "made by a program, or between other programs",
};
// With more ports than this, clients start closed: lines end at their names.
const manyPorts = 160;

const clientOf = (port) => port.slice(0, port.indexOf(":"));
const shortOf = (port) => port.slice(port.indexOf(":") + 1);
const makerOf = (connection) => (connection.madeBy in makers ? connection.madeBy : "program");

/** Ports by client, in natural order. */
function grouped(ports) {
  const order = new Intl.Collator(undefined, { numeric: true }).compare;
  const clients = new Map();
  for (const port of ports) {
    const name = clientOf(port.name);
    if (!clients.has(name)) clients.set(name, []);
    clients.get(name).push(port);
  }
  return [...clients].sort(([a], [b]) => order(a, b))
    .map(([name, own]) => ({ name, ports: own.sort((a, b) => order(a.name, b.name)) }));
}

function mount(root, { live, controls }) {
  let ports = [];
  let connections = [];
  let chosen = null;
  let drawn = "";
  let frame = 0;
  const marks = new Map();

  const search = el("input", {
    id: "patch-search", type: "search", autocomplete: "off", spellcheck: "false", oninput: () => draw(),
  });
  const kind = el("select", { id: "patch-kind", onchange: () => draw() },
    el("option", { value: "audio" }, "Audio"), el("option", { value: "midi" }, "MIDI"));
  const legend = el("ul", { class: "v-legend", "aria-label": "Who has connected" },
    Object.entries(makers).map(([id, text]) => el("li", { class: `v-by-${id}` }, el("i", {}), text)));
  const wires = svg("svg", { class: "v-wires", "aria-hidden": "true" });
  const outs = column("Outputs", "output");
  const ins = column("Inputs", "input");
  const board = el("div", { class: "v-patchbay" }, outs.node, ins.node, wires);
  const none = el("p", { class: "v-quiet" }, "No port.");
  const panel = el("aside", {
    class: "v-chosen", "aria-label": "The chosen port", hidden: true, onkeydown: (event) => event.key === "Escape" && leave(),
  });
  const word = el("p", { class: "v-hidden", role: "status" });

  /** The ports of one direction: clients that can be closed, with a button for each port. */
  function column(title, direction) {
    const list = el("div", { class: "v-clients" });
    const node = el("section", { class: `v-column v-${direction}` }, el("h2", {}, title), list);
    const fill = follow(list, (client) => client.name, ({ name }) => {
      const count = el("span", { class: "v-quiet" });
      const own = el("ul", { class: "v-ports" });
      const summary = el("summary", {}, el("span", { class: "v-title" }, name), count);
      const details = el("details", { class: "v-client", open: ports.length <= manyPorts, ontoggle: () => wire() }, summary, own);
      marks.set(`${direction} ${name}`, summary);
      const fillPorts = follow(own, (port) => port.name, (port) => {
        const title = el("span", { class: "v-port-name" }, shortOf(port.name));
        const peers = el("span", { class: "v-peers v-quiet" });
        const button = el("button", {
          type: "button", class: "v-port", "aria-pressed": "false",
          onclick: () => press(port), onkeydown: (event) => move(event, direction),
          onpointerenter: () => light(port.name), onpointerleave: () => light(chosen?.name),
          onfocus: () => light(port.name), onblur: () => light(chosen?.name),
        }, title, peers);
        marks.set(port.name, button);
        return {
          node: el("li", {}, button),
          show({ others }) {
            say(peers, others.join(", "));
            button.classList.toggle("v-wired", others.length > 0);
            button.setAttribute("aria-pressed", String(chosen?.name === port.name));
          },
        };
      });
      return {
        node: details,
        show(client) {
          say(count, String(client.ports.length));
          fillPorts(client.ports);
        },
      };
    });
    return { node, fill };
  }

  /** Arrows go through the ports of a column, and over to the other one. */
  function move(event, direction) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") return choose(null);
    if (event.key === "ArrowRight" && direction === "output") return focusFirst(ins.node, event);
    if (event.key === "ArrowLeft" && direction === "input") return focusFirst(outs.node, event);
    if (!step) return;
    const all = [...event.currentTarget.closest(".v-column").querySelectorAll("details[open] .v-port")];
    event.preventDefault();
    all[all.indexOf(event.currentTarget) + step]?.focus();
  }

  function focusFirst(node, event) {
    event.preventDefault();
    node.querySelector("details[open] .v-port")?.focus();
  }

  /** With an output and an input chosen, they are connected, or disconnected if they are. */
  function press(port) {
    if (!chosen || chosen.direction === port.direction) return choose(chosen?.name === port.name ? null : port);
    const [source, destination] = port.direction === "input" ? [chosen.name, port.name] : [port.name, chosen.name];
    const exists = connections.some((one) => one.source === source && one.destination === destination);
    change(exists ? "disconnect" : "connect", source, destination);
  }

  async function change(method, source, destination) {
    const done = await attempt(controls, () => live.call(method, { source, destination }));
    if (done) say(word, `${source} and ${destination} are ${method === "connect" ? "connected" : "disconnected"}.`);
    reading.now();
  }

  function choose(port) {
    chosen = port;
    draw();
    const other = port?.direction === "output" ? "input" : "output";
    say(word, port ? `${port.name} is chosen. Choose an ${other} to connect it, or Escape.` : "");
  }

  /** Ends the choice; the focus goes back to the port. */
  function leave() {
    const button = marks.get(chosen.name);
    choose(null);
    button?.focus();
  }

  /** The chosen port with its connections; the way without a mouse, and on a phone. Drawn anew only for something new. */
  function drawPanel() {
    panel.hidden = !chosen;
    if (!chosen) {
      drawn = "";
      return;
    }
    const isOutput = chosen.direction === "output";
    const own = connections.filter((one) => (isOutput ? one.source : one.destination) === chosen.name);
    const other = (one) => (isOutput ? one.destination : one.source);
    const linked = new Set(own.map(other));
    const targets = ports.filter((port) =>
      port.direction !== chosen.direction && port.type === chosen.type && !linked.has(port.name));
    const content = JSON.stringify([
      chosen.name, own.map((one) => [other(one), one.madeBy, one.owner, one.line]), targets.map((port) => port.name),
    ]);
    if (content === drawn) return;
    drawn = content;
    const lines = own.map((one) => el("li", { class: `v-item v-by-${makerOf(one)}` }, el("i", {}),
      el("div", { class: "v-what" }, el("span", { class: "v-title" }, other(one)),
        el("span", { class: "v-quiet" }, makers[makerOf(one)], one.owner && ` (${one.owner})`, one.line && ` (line ${one.line})`)),
      el("button", {
        type: "button", "aria-label": `Disconnect ${other(one)}`,
        onclick: () => change("disconnect", one.source, one.destination),
      }, "Disconnect")));
    const target = el("select", { id: "patch-target" }, grouped(targets).map((client) => el("optgroup", { label: client.name },
      client.ports.map((port) => el("option", { value: port.name }, shortOf(port.name))))));
    const before = panel.querySelector("select")?.value;
    if (targets.some((port) => port.name === before)) target.value = before;
    const connect = () => {
      if (target.value) change("connect", ...(isOutput ? [chosen.name, target.value] : [target.value, chosen.name]));
    };
    const done = el("button", { type: "button", onclick: leave }, "Done");
    const isInside = panel.contains(document.activeElement);
    panel.replaceChildren(
      el("div", { class: "v-line v-head" }, el("h2", {}, chosen.name), done),
      own.length ? el("ul", { class: "v-rows", "aria-label": "Connections" }, lines)
        : el("p", { class: "v-quiet" }, "Not connected."),
      el("div", { class: "v-line" }, el("label", { for: "patch-target" }, isOutput ? "Connect to" : "Connect from"), target,
        el("button", { type: "button", class: "primary", onclick: connect }, "Connect")));
    if (isInside) (targets.length ? target : done).focus();
  }

  function draw() {
    const wanted = search.value.trim().toLowerCase();
    const others = new Map();
    const note = (port, other) => others.set(port, [...(others.get(port) ?? []), other]);
    for (const { source, destination } of connections) {
      note(source, destination);
      note(destination, source);
    }
    // A port is found by its own name, and by the names of those it is connected to.
    const visible = ports.filter((port) => port.type === kind.value && (!wanted
      || [port.name, ...(others.get(port.name) ?? [])].some((text) => text.toLowerCase().includes(wanted))))
      .map((port) => ({ ...port, others: others.get(port.name) ?? [] }));
    outs.fill(grouped(visible.filter((port) => port.direction === "output")));
    ins.fill(grouped(visible.filter((port) => port.direction === "input")));
    none.hidden = visible.length > 0;
    if (chosen && !ports.some((port) => port.name === chosen.name)) chosen = null;
    drawPanel();
    wire();
  }

  function wire() {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(drawWires);
  }

  /** One line for each connection: all places are read first, then all lines are written. */
  function drawWires() {
    const box = board.getBoundingClientRect();
    if (!box.width || getComputedStyle(wires).display === "none") return;
    const place = (port, direction) => {
      const button = marks.get(port);
      if (!button?.isConnected) return null;
      const shown = button.closest("details").open ? button : marks.get(`${direction} ${clientOf(port)}`);
      const { left, right, top, height } = shown.getBoundingClientRect();
      return { x: (direction === "output" ? right : left) - box.left, y: top + height / 2 - box.top };
    };
    const lines = new Map();
    for (const connection of connections) {
      const from = place(connection.source, "output");
      const to = place(connection.destination, "input");
      if (!from || !to) continue;
      const bend = Math.max(30, (to.x - from.x) / 2);
      const d = `M${from.x},${from.y} C${from.x + bend},${from.y} ${to.x - bend},${to.y} ${to.x},${to.y}`;
      const known = lines.get(d);
      if (known) known.ends.push(connection.source, connection.destination);
      else lines.set(d, { maker: makerOf(connection), ends: [connection.source, connection.destination] });
    }
    wires.setAttribute("viewBox", `0 0 ${box.width} ${box.height}`);
    wires.replaceChildren(...[...lines].map(([d, { maker, ends }]) => {
      const path = svg("path", { d, class: `v-wire v-by-${maker}` });
      path.ends = ends;
      return path;
    }));
    light(chosen?.name);
  }

  function light(port) {
    for (const path of wires.children) path.classList.toggle("v-lit", path.ends.includes(port));
    wires.classList.toggle("v-some-lit", port !== undefined && [...wires.children].some((path) => path.ends.includes(port)));
  }

  async function read() {
    const patch = await live.call("listPatch");
    ports = patch.ports;
    connections = patch.connections;
    draw();
  }

  const resized = new ResizeObserver(wire);
  resized.observe(board);
  root.append(el("h1", {}, "Patch"), el("div", { class: "v-line" }, el("label", { for: "patch-search" }, "Find"), search,
      el("label", { for: "patch-kind" }, "Kind"), kind, legend),
    board, none, panel, word);
  const reading = fresh(live, read, {
    everyMs: 1000,
    kinds: [
      "sourceConnected", "sourceDisconnected", "routeAvailable", "routeUnavailable", "mixChanged", "decision", "serverBack",
    ],
  });
  return () => {
    reading.stop();
    resized.disconnect();
    cancelAnimationFrame(frame);
  };
}

export default { id: "patch", title: "Patch", mount };
