// SPDX-License-Identifier: MIT
// Scenes: save the mix under a name, recall it with a fade, keep strips out of them.
import { attempt, el, follow, fresh, say, section, sure } from "./parts.js";
import { label } from "./channel.js";
import { names, part } from "./tree.js";

const fades = [["0", "At once"], ["1000", "1 s"], ["3000", "3 s"], ["10000", "10 s"], ["30000", "30 s"]];

function mount(root, { live, tree, controls }) {
  const fade = el("select", { id: "scene-fade" }, fades.map(([value, text]) => el("option", { value }, text)));
  fade.value = "1000";
  const list = el("ul", { class: "v-rows", "aria-label": "Scenes" });
  const empty = el("p", { class: "v-quiet" }, "No scene yet. Save the present mix under a name.");
  const report = el("div", { class: "v-report", role: "status" });
  const name = el("input", { id: "scene-name", type: "text", maxlength: "64", autocomplete: "off", required: true });
  const save = el("button", { type: "submit", class: "primary" }, "Save");
  let scenes = [];

  const showScenes = follow(list, (scene) => scene.name, ({ name: key }) => {
    const title = el("span", { class: "v-title" });
    const note = el("span", { class: "v-quiet" });
    const button = (text, label, act) =>
      el("button", { type: "button", "aria-label": `${label} ${key}`, onclick: act }, text);
    const node = el("li", { class: "v-item" }, el("div", { class: "v-what" }, title, note),
      el("div", { class: "v-acts" },
        button("Recall", "Recall", () => recall(key)),
        button("Save over", "Save the present mix over", () => overwrite(key)),
        button("Delete", "Delete", () => remove(key))));
    return {
      node,
      show(scene) {
        say(title, scene.name);
        const count = scene.parameters === 1 ? "1 value" : `${scene.parameters} values`;
        say(note, scene.current ? `current · ${count}` : count);
        node.classList.toggle("v-current", scene.current);
      },
    };
  });

  function take(answer) {
    if (!answer?.scenes) return;
    scenes = answer.scenes;
    empty.hidden = scenes.length > 0;
    showScenes(scenes.map((scene) => ({ ...scene, current: scene.name === answer.current })));
  }

  async function recall(scene) {
    const answer = await attempt(controls, () =>
      live.call("recallScene", { scene, fadeMilliseconds: Number(fade.value) }));
    if (!answer) return;
    const lines = [`${scene}: ${answer.recalled} values recalled.`];
    if (answer.safe.length) lines.push(`${answer.safe.length} left alone, because their strips are safe.`);
    if (answer.missing.length) lines.push(`Not there now: ${answer.missing.join(", ")}.`);
    for (const { path, reason } of answer.refused) lines.push(`${path}: ${reason}`);
    report.replaceChildren(...lines.map((line) => el("p", {}, line)));
    reading.now();
  }

  async function put(scene) {
    const answer = await attempt(controls, () => live.call("saveScene", { scene }));
    take(answer);
    if (answer) report.replaceChildren(el("p", {}, `${scene} is saved.`));
    return answer;
  }

  async function overwrite(scene) {
    if (await sure(controls, `Save over ${scene}?`, "The present mix takes its place.", "Save over")) {
      await put(scene);
    }
  }

  async function remove(scene) {
    if (!(await sure(controls, `Delete ${scene}?`, "This cannot be undone.", "Delete"))) return;
    take(await attempt(controls, () => live.call("deleteScene", { scene })));
    report.replaceChildren(el("p", {}, `${scene} is deleted.`));
  }

  const form = el("form", {
    class: "v-line",
    onsubmit: async (event) => {
      event.preventDefault();
      const scene = name.value.trim();
      if (!scene) return;
      if (scenes.some((known) => known.name === scene)) await overwrite(scene);
      else if (await put(scene)) name.value = "";
    },
  }, el("label", { for: "scene-name" }, "Name"), name, save);

  const safe = el("ul", { class: "v-rows", "aria-label": "Strips" });
  const showSafe = follow(safe, (strip) => strip, (strip) => {
    const place = `/strip/${part(strip)}`;
    const path = `${place}/safe`;
    const box = el("input", {
      type: "checkbox",
      onchange: () => tree.set(path, box.checked),
    });
    const node = el("li", { class: "v-item" }, el("label", { class: "v-check" }, box, el("span", {}, label(tree, place))));
    return { node, show: () => { box.checked = tree.value(path) === true; } };
  });
  const drawSafe = () => showSafe(names(tree, "/strip"));

  root.append(el("h1", {}, "Scenes"),
    section("Recall", el("div", { class: "v-line" }, el("label", { for: "scene-fade" }, "Fade"), fade), list, empty, report),
    section("Save the present mix", form),
    section("Safe from scenes", el("p", { class: "v-quiet" }, "A scene leaves these strips as they are."), safe));
  const reading = fresh(live, async () => take(await live.call("listScenes")), { everyMs: 5000 });
  const off = [
    tree.onShape(drawSafe),
    tree.watch("/strip", (path) => path.endsWith("/safe") && drawSafe()),
    tree.watch("/scene", () => reading.now()),
  ];
  drawSafe();
  return () => {
    reading.stop();
    for (const end of off) end();
  };
}

export default { id: "scenes", title: "Scenes", mount };
