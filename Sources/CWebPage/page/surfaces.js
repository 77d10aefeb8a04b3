// SPDX-License-Identifier: MIT
// Surfaces: the ports that are served, MIDI controllers, and learning a control by touching it.
import { label } from "./channel.js";
import { attempt, el, follow, fresh, say, section } from "./parts.js";
import { names, part } from "./tree.js";

const kinds = {
  osc: "OSC", oscquery: "OSCQuery", xair: "X-Air", mackie: "Mackie Control", web: "This page",
};
const seconds = 30;
const fits = { device: "is made for it", similar: "is made for a device of its family", controls: "has this control" };

/** What the learned line of a graph file sets, and by which control. */
function parsed(line) {
  const parameter = /parameter: *("[^"]*"|'[^']*'|[^,}]+)/.exec(line)?.[1].trim().replace(/^["']|["']$/g, "");
  const control = /control: *("[^"]*"|'[^']*'|[^,}]+)/.exec(line)?.[1].trim();
  return { parameter, control, line };
}

/**
 * One request over a link of its own: requests of one link wait for each other, and learning waits for a hand.
 * Answers the promise, and the function that gives up.
 */
function alone(method, params) {
  const link = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/live`);
  const answer = new Promise((resolve, reject) => {
    link.onopen = () => link.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
    link.onmessage = ({ data }) => {
      if (typeof data !== "string") return;
      const message = JSON.parse(data);
      if (message.id !== 1) return;
      if (message.error) reject(new Error(message.error.message));
      else resolve(message.result);
      link.close();
    };
    link.onclose = () => resolve(null);
  });
  return { answer, end: () => link.close() };
}

function mount(root, { live, tree, controls }) {
  let learned = new Map();
  let learning = null;

  const served = el("ul", { class: "v-rows", "aria-label": "Surfaces" });
  const noSurface = el("p", { class: "v-quiet" },
    "No surface is served. Name one in the graph’s surfaces, or start with --osc, --oscquery or --web.");
  const showServed = follow(served, (surface) => `${surface.kind} ${surface.port}`, (surface) => {
    const mark = el("span", { class: "v-mark" });
    const note = el("span", { class: "v-quiet" });
    return {
      node: el("li", { class: "v-item" },
        el("div", { class: "v-what" }, el("span", { class: "v-title" }, kinds[surface.kind] ?? surface.kind), mark, note)),
      show({ port, lan, fault }) {
        say(mark, fault ? "Not served" : "Served");
        mark.className = `v-mark v-${fault ? "off" : "on"}`;
        say(note, fault ?? `port ${port} · ${lan ? "from the network" : "from this machine only"}`);
      },
    };
  });

  const list = el("ul", { class: "v-rows", "aria-label": "MIDI controllers" });
  const noController = el("p", { class: "v-quiet" },
    "No MIDI controller is in the graph or plugged in.");
  const showControllers = follow(list, ({ name, guest }) => `${name} ${guest}`, () => {
    const title = el("span", { class: "v-title" });
    const mark = el("span", { class: "v-mark" });
    const facts = el("span", { class: "v-quiet" });
    const move = el("output", { class: "v-move" });
    const note = el("p", { class: "v-why" });
    const entry = el("code");
    const lines = el("ul", { class: "v-lines" });
    const showLines = follow(lines, ({ line }) => line, ({ parameter, line, control }) => {
      const forget = async () => {
        if (await attempt(controls, () => live.call("learn", { parameter, forget: true }))) reading.now();
      };
      return {
        node: el("li", {}, el("code", {}, line), parameter && el("button", {
          type: "button", onclick: forget, "aria-label": `Forget ${control} for ${parameter}`,
        }, "Forget")),
        show() {},
      };
    });
    return {
      node: el("li", { class: "v-item" }, el("div", { class: "v-what" }, title, mark, facts, move, note, entry, lines)),
      show(controller) {
        say(title, controller.name);
        const { name, guest, device, mappingFile, mappings, missing, lastControl, lastValue } = controller;
        say(mark, guest ? "Not in the graph" : device ? "Plugged in" : "Not plugged in");
        mark.className = `v-mark v-${guest ? "low" : device ? "on" : "off"}`;
        say(facts, guest ? "" : [device ?? `looks for ${controller.lookedFor}`, mappingFile,
          mappings === 1 ? "1 control mapped" : `${mappings} controls mapped`,
        ].filter(Boolean).join(" · "));
        say(move, lastControl ? `moved last: ${lastControl} = ${lastValue}` : "nothing moved yet");
        const proposed = guest && mappingFile;
        say(note, proposed ? `${mappingFile} ${fits[controller.mappingFit]}; in the graph:`
          : guest && !controller.isHeard ? "It is not heard; let the graph have controls: {midi: {}}."
            : missing?.length ? `Not there now: ${missing.join(", ")}` : "");
        note.hidden = !note.textContent;
        say(entry, proposed ? `controls: {midi: {box: {device: ${JSON.stringify(name)}, mapping: ${mappingFile}}}}` : "");
        entry.hidden = !proposed;
        showLines(controller.learned.map(parsed));
      },
    };
  });

  // Learning: each strip and route with its parameters; everything else by its path.
  const status = el("p", { class: "v-report", role: "status" });
  const choices = el("ul", { class: "v-rows", "aria-label": "Parameters to learn" });
  const showChoices = follow(choices, ({ path, title }) => `${path} ${title}`, (place) => {
    const buttons = place.parameters.map(({ path, text }) => {
      const node = el("button", { type: "button", onclick: () => learn(path) }, text);
      return { path, node };
    });
    return {
      node: el("li", { class: "v-item" }, el("div", { class: "v-what" }, el("span", { class: "v-title" }, place.title)),
        el("div", { class: "v-acts" }, buttons.map(({ node }) => node))),
      show() {
        for (const { path, node } of buttons) {
          const control = learned.get(path);
          node.classList.toggle("v-learned", control !== undefined);
          node.setAttribute("aria-label", `Learn ${path}${control ? `, now by ${control}` : ""}`);
        }
      },
    };
  });
  const paths = el("datalist", { id: "learn-paths" });
  const other = el("input", { id: "learn-path", type: "text", list: "learn-paths", autocomplete: "off", spellcheck: "false" });
  const form = el("form", {
    class: "v-line",
    onsubmit: (event) => {
      event.preventDefault();
      if (other.value.trim()) learn(other.value.trim());
    },
  }, el("label", { for: "learn-path" }, "Another parameter"), other, paths,
    el("button", { type: "submit" }, "Learn"));
  const giveUp = el("button", { type: "button", hidden: true, onclick: () => learning?.end() }, "Give up");

  async function learn(parameter) {
    if (learning) return;
    const from = performance.now();
    const left = () => Math.max(0, Math.ceil(seconds - (performance.now() - from) / 1000));
    const count = () => say(status,
      `Move the control for ${parameter} now, and let it rest. Turn an encoder both ways. ${left()} s`);
    count();
    const clock = setInterval(count, 1000);
    let isOver = false;
    const request = alone("learn", { parameter, timeoutMilliseconds: seconds * 1000 });
    learning = {
      end() {
        isOver = true;
        request.end();
      },
    };
    giveUp.hidden = false;
    const result = await attempt(controls, () => request.answer);
    clearInterval(clock);
    learning = null;
    giveUp.hidden = true;
    say(status, result?.control ? `Learned: ${result.control} of ${result.controller ?? result.device} sets ${parameter}.`
      : isOver ? "Given up." : "Nothing was learned.");
    reading.now();
  }

  function drawChoices() {
    const texts = { gain: "Fader", mute: "Mute", solo: "Solo", cue: "Cue", pan: "Pan" };
    const places = [["/strip", "Strip"], ["/route", "Route"]].flatMap(([branch, title]) => names(tree, branch).map((name) => ({
      path: `${branch}/${part(name)}`,
      title: `${title} ${label(tree, `${branch}/${part(name)}`)}`,
      parameters: Object.entries(texts)
        .map(([last, text]) => ({ text, path: `${branch}/${part(name)}/${last}` })).filter(({ path }) => tree.info(path)),
    })));
    const crossfader = "/crossfader/position";
    if (tree.info(crossfader)) places.push({ path: crossfader, title: "Crossfader", parameters: [{ text: "Position", path: crossfader }] });
    showChoices(places);
  }

  function drawPaths() {
    paths.replaceChildren(...tree.paths("/").filter((path) => tree.info(path).access === "readWrite")
      .map((path) => el("option", { value: path })));
  }

  const learnable = section("Learn",
    el("p", { class: "v-quiet" }, "Choose what a control sets, then touch the control."), status, giveUp, choices, form);
  const shape = tree.onShape(() => {
    drawChoices();
    drawPaths();
  });
  drawPaths();
  root.append(el("h1", {}, "Surfaces"), section("MIDI controllers", list, noController), learnable,
    section("Served", served, noSurface));

  async function read() {
    const [host, midi] = await Promise.all([live.call("status"), live.call("controllers")]);
    noSurface.hidden = host.surfaces.length > 0;
    showServed(host.surfaces);
    const guests = midi.unknown.map((one) => ({ ...one, name: one.device, guest: true }));
    const all = [...midi.controllers, ...guests];
    noController.hidden = all.length > 0;
    learnable.hidden = !midi.controllers.length && !guests.some(({ isHeard }) => isHeard);
    showControllers(all);
    const lines = all.flatMap((controller) => controller.learned.map(parsed));
    learned = new Map(lines.map((one) => [one.parameter, one.control]));
    drawChoices();
  }

  const reading = fresh(live, read, { everyMs: 1000 });
  return () => {
    reading.stop();
    shape();
    learning?.end();
  };
}

export default { id: "surfaces", title: "Surfaces", mount };
