// SPDX-License-Identifier: MIT
// Sessions: who is heard, who interrupts or lowers whom, who wants to record, and simulated events.
import { attempt, el, figure, follow, fresh, say, section, sure } from "./parts.js";
import { names, part } from "./tree.js";

const events = [
  "session", "decision", "permission", "call", "gateClosed", "alarm", "sourceConnected", "sourceDisconnected", "serverBack",
];
const classes = { phone: "phone", alarm: "alarm", assistant: "assistant", app: "" };
const answers = [["undetermined", "Ask"], ["granted", "May record"], ["denied", "May not record"]];
const switches = [
  ["/simulate/silentSwitch", "Silent switch"], ["/simulate/lock", "Screen locked"],
  ["/simulate/microphoneMute", "Microphone switched off"], ["/simulate/interruption/phone", "Phone interrupts"],
  ["/simulate/interruption/alarm", "Alarm interrupts"], ["/simulate/interruption/assistant", "Assistant interrupts"],
];
const calls = [["callRing", "Let it ring"], ["callAnswer", "Answer"], ["callDecline", "Decline"], ["callEnd", "Hang up"]];

/** The state of a session in a few words, and how it is marked. */
function state(session, appOf) {
  if (session.interruptedBy) return ["off", `Interrupted by ${appOf(session.interruptedBy)}`];
  if (!session.active) return ["off", "Not active"];
  if (!session.connected) return ["off", "Disconnected by hand"];
  if (session.duckedBy.length) {
    return ["low", `Lowered by ${session.duckedBy.map(appOf).join(", ")}, ${figure(session.duckGainDB, 1, "dB")}`];
  }
  if (session.sounding) return ["on", "Heard"];
  return ["low", session.silentForLong ? "Silent for long" : "Silent"];
}

function mount(root, { live, tree, controls }) {
  const asked = new Set();
  const button = (text, label, act, kind) =>
    el("button", { type: "button", class: kind, "aria-label": label, onclick: act }, text);
  const answer = (program, permission) => async () => {
    const done = await attempt(controls, () => live.call("setPermission", { program: program(), permission }));
    if (done) asked.delete(done.program);
    reading.now();
  };

  // Questions come first, because a program waits in silence for the answer.
  const questions = el("ul", { class: "v-rows v-questions", "aria-live": "polite", "aria-label": "Questions" });
  const showQuestions = follow(questions, (program) => program.executable ?? program.program, (first) => {
    let program = first;
    const path = el("span", { class: "v-quiet" });
    const id = () => program.executable ?? program.program;
    return {
      node: el("li", { class: "v-item v-question" },
        el("div", { class: "v-what" }, el("span", { class: "v-title" }, `${first.program} wants to record`), path),
        el("div", { class: "v-acts" },
          button("Yes", `Yes, ${first.program} may record`, answer(id, "granted"), "primary"),
          button("No", `No, ${first.program} may not record`, answer(id, "denied")))),
      show(now) {
        program = now;
        say(path, `${now.executable ?? "its program is not known"} – it hears silence until you answer`);
      },
    };
  });

  const list = el("ul", { class: "v-rows", "aria-label": "Sessions" });
  const none = el("p", { class: "v-quiet" }, "No session.");
  const showSessions = follow(list, (session) => session.id, ({ id }) => {
    const title = el("span", { class: "v-title" });
    const mark = el("span", { class: "v-mark" });
    const facts = el("span", { class: "v-quiet" });
    const why = el("p", { class: "v-why" });
    const route = el("select", { "aria-label": `Route of ${id}`, onchange() {
      route.blur();
      attempt(controls, () => live.call("chooseRoute", { session: id, route: route.value || undefined }));
    } });
    const act = button("", "", () => {
      tree.set(`/session/${part(id)}/active`, act.dataset.on !== "yes");
      reading.now();
    });
    return {
      node: el("li", { class: "v-item" },
        el("div", { class: "v-what" }, title, mark, facts, why), el("div", { class: "v-acts" }, route, act)),
      show(session) {
        const [kind, text] = state(session, session.appOf);
        say(title, session.id === session.app ? session.app : `${session.app} (${session.id})`);
        say(mark, text);
        mark.className = `v-mark v-${kind}`;
        const rank = classes[session.priorityClass];
        say(facts, [session.category, session.mode === "default" ? "" : session.mode, rank,
          session.strips.length ? `strips ${session.strips.join(", ")}` : "", session.rule ? `rule ${session.rule}` : "",
        ].filter(Boolean).join(" · "));
        say(why, session.why ?? "");
        why.hidden = !session.why;
        say(act, session.active ? "End" : "Begin");
        act.dataset.on = session.active ? "yes" : "no";
        const { outputs } = session;
        route.hidden = outputs.every(({ reason }) => reason);
        if (document.activeElement !== route) {
          route.replaceChildren(el("option", { value: "" }, "Automatic route"), ...outputs.map(({ port, reason, inUse }) =>
            el("option", { value: port.uid, disabled: reason, title: reason }, port.name + (inUse ? " (now)" : ""))));
          route.value = outputs.find(({ chosen }) => chosen)?.port.uid ?? "";
        }
        act.setAttribute("aria-label", `${session.active ? "End" : "Begin"} ${session.app}`);
      },
    };
  });

  const programs = el("ul", { class: "v-rows", "aria-label": "Permission to record" });
  const noProgram = el("p", { class: "v-quiet" }, "No program has asked to record.");
  const showPrograms = follow(programs, (program) => program.executable ?? program.program, (first) => {
    let program = first;
    const note = el("span", { class: "v-quiet" });
    const choice = el("select", {
      "aria-label": `${first.program} and recording`,
      onchange: () => answer(() => program.executable ?? program.program, choice.value)(),
    }, answers.map(([value, text]) => el("option", { value }, text)));
    return {
      node: el("li", { class: "v-item" },
        el("div", { class: "v-what" }, el("span", { class: "v-title" }, first.program), note),
        el("div", { class: "v-acts" }, choice)),
      show(now) {
        program = now;
        say(note, [now.executable, now.source === "user" ? "your answer" : `from the ${now.source}`,
          now.clients.length ? `hears a capture: ${now.clients.join(", ")}` : ""].filter(Boolean).join(" · "));
        if (document.activeElement !== choice) choice.value = now.permission;
      },
    };
  });

  const alarms = el("ul", { class: "v-rows", "aria-live": "assertive", "aria-label": "Alarms" });
  const showAlarms = follow(alarms, (alarm) => `${alarm.client} ${alarm.capture} ${alarm.port}`, () => {
    const text = el("p", {});
    return {
      node: el("li", { class: "v-item v-question" }, text),
      show: (alarm) => say(text, `${alarm.app} keeps connecting itself to ${alarm.capture ?? alarm.port}, `
        + `which it may not hear (rule ${alarm.rule}). It was cut off ${alarm.attempts} times.`),
    };
  });

  const toggles = el("div", { class: "v-checks" });
  const showToggles = follow(toggles, ([path]) => path, ([path, title]) => {
    const box = el("input", { type: "checkbox", onchange: () => tree.set(path, box.checked) });
    return {
      node: el("label", { class: "v-check" }, box, el("span", {}, title)),
      show: () => { box.checked = tree.value(path) === true; },
    };
  });
  const drawToggles = () => showToggles([
    ...switches.filter(([path]) => tree.info(path)),
    ...names(tree, "/simulate/unplug").map((route) => [`/simulate/unplug/${part(route)}`, `${route} unplugged`]),
  ]);
  const simulate = (event) => () => attempt(controls, () => live.call("simulate", { event }));
  const lose = async () => {
    if (await sure(controls, "Lose the JACK server?", "The sound stops until the host is attached again.", "Lose it")) {
      simulate("serverLoss")();
    }
  };
  const simulation = el("details", { class: "v-part" }, el("summary", {}, "Simulate"),
    el("p", { class: "v-quiet" }, "What would happen if: the sessions follow as they would on a phone."), toggles,
    el("h3", {}, "A call"),
    el("div", { class: "v-line" }, calls.map(([event, text]) => button(text, undefined, simulate(event)))),
    el("h3", {}, "The server"), el("div", { class: "v-line" }, button("Lose the JACK server", undefined, lose)));

  /** The sentence of `why` for each session that is not simply heard. */
  async function reasons(sessions) {
    const quiet = sessions.filter((session) =>
      !session.active || session.interruptedBy || session.duckedBy.length || !session.connected || !session.sounding);
    const found = await Promise.all(quiet.slice(0, 32).map(async ({ id }) => {
      const { sessions: said } = await live.call("why", { app: id }).catch(() => ({ sessions: [] }));
      const mine = said.find((one) => one.session === id);
      return [id, mine ? [mine.sentence, mine.remedy].filter(Boolean).join(" – ") : ""];
    }));
    return new Map(found);
  }

  async function read() {
    const [status, permissions] = await Promise.all([live.call("status"), live.call("listPermissions")]);
    const why = await reasons(status.sessions);
    const details = await Promise.all(status.sessions.slice(0, 32).map(({ id }) =>
      live.call("session", { session: id }).catch(() => 0)));
    const apps = new Map(status.sessions.map((session) => [session.id, session.app]));
    const appOf = (id) => apps.get(id) ?? id;
    none.hidden = status.sessions.length > 0;
    showSessions(status.sessions.map((session, i) =>
      ({ ...session, appOf, why: why.get(session.id), outputs: details[i]?.outputs ?? [] })));
    showQuestions(permissions.programs.filter((program) =>
      program.permission === "undetermined" && (program.clients.length || asked.has(program.program))));
    noProgram.hidden = permissions.programs.length > 0;
    showPrograms(permissions.programs);
    showAlarms(status.alarms);
  }

  root.append(el("h1", {}, "Sessions"), questions, alarms, section("Sessions", list, none),
    section("Permission to record", programs, noProgram), simulation);
  const reading = fresh(live, read, { everyMs: 2000, kinds: events });
  const off = [
    live.on("event", ({ kind, details }) => {
      if (kind === "permission") asked[details.asks ? "add" : "delete"](details.app);
    }),
    tree.onShape(drawToggles),
    tree.watch("/simulate", drawToggles),
  ];
  drawToggles();
  return () => {
    reading.stop();
    for (const end of off) end();
  };
}

export default { id: "sessions", title: "Sessions", mount };
