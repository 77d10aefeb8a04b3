// SPDX-License-Identifier: MIT
// The host's parameters as this page knows them: filled anew after each return of the link.

const FOLD_MS = 20;
const SHORTEST_PAUSE = 500;
const LONGEST_PAUSE = 8000;

/**
 * Keeps the tree of parameters.
 *
 * `watch(prefix, fn)` calls `fn(path, value, info)` for each change, with `undefined` as the value of one that has gone.
 * `onShape(fn)` calls when parameters have come or gone, and after each refill. `onRefused(fn)` gets the host's errors.
 */
export function openTree(live) {
  const entries = new Map();
  const watchers = new Map();
  const shapes = new Set();
  const refusals = new Set();
  let pending = new Map();
  // Paths whose set is on its way, and whether another's change has come meanwhile: only the host knows which was last.
  const sent = new Map();
  let timer = null;
  let pause = SHORTEST_PAUSE;
  let again = null;
  let filled = false;
  let filling = null;

  const under = (path, prefix) => prefix === "/" || path === prefix || path.startsWith(prefix.endsWith("/") ? prefix : prefix + "/");
  const tell = (path, value) => {
    // From the path itself to the branch of all: a change costs the same with any number of watchers elsewhere.
    for (let end = path.length; end >= 0; end = end ? path.lastIndexOf("/", end - 1) : -1) {
      watchers.get(path.slice(0, end) || "/")?.forEach((listener) => listener(path, value, entries.get(path)));
    }
  };
  const add = (set) => (listener) => (set.add(listener), () => set.delete(listener));

  async function fill() {
    const before = new Map(entries);
    const { parameters } = await live.call("list");
    // Levels come in frames of their own, but for the few that say how much limiters hold down.
    const reductions = parameters.map(({ path }) => path).filter((path) => path.endsWith("/reduction"));
    const { values } = await live.call("watch", { paths: ["/", ...reductions], levels: false });
    entries.clear();
    for (const info of parameters) entries.set(info.path, { ...info, value: number(info, info.value) });
    // The values of the watch are later ones, and no change after them is missed.
    for (const { path, value } of values) {
      const entry = entries.get(path);
      if (entry) entry.value = number(entry, value);
    }
    filled = true;
    pause = SHORTEST_PAUSE;
    for (const path of before.keys()) if (!entries.has(path)) tell(path, undefined);
    shapes.forEach((listener) => listener());
    for (const { path, value } of entries.values()) tell(path, value);
  }

  function refill() {
    clearTimeout(again);
    filling ??= fill()
      .catch((error) => {
        // A lost link fills anew when it is back.
        if (!live.connected || error.code === 0) return;
        // Such as a host that has as many watchers as it allows.
        refusals.forEach((listener) => listener(error));
        again = setTimeout(refill, pause);
        pause = Math.min(2 * pause, LONGEST_PAUSE);
      })
      .finally(() => (filling = null));
    return filling;
  }

  live.on("state", ({ connected }) => {
    clearTimeout(timer);
    clearTimeout(again);
    timer = null;
    pause = SHORTEST_PAUSE;
    // What was not sent before the link was lost is never sent after it.
    pending = new Map();
    sent.clear();
    filled = false;
    if (connected) refill();
  });

  /** Gives branches other paths: the values stay, and so does what is on its way to the host. */
  function rename(steps) {
    const crossed = [...sent.keys()].some((path) => steps.some(({ from }) => under(path, from)));
    for (const { from, to } of steps) {
      const moved = [...entries.keys()].filter((path) => under(path, from));
      for (const path of moved) {
        const entry = entries.get(path);
        entries.delete(path);
        tell(path, undefined);
        entries.set(to + path.slice(from.length), { ...entry, path: to + path.slice(from.length) });
      }
      for (const [path, value] of pending) {
        if (!under(path, from)) continue;
        pending.delete(path);
        pending.set(to + path.slice(from.length), value);
      }
    }
    shapes.forEach((listener) => listener());
    for (const [path, { value }] of entries) if (steps.some(({ to }) => under(path, to))) tell(path, value);
    // The host does not know the old paths any more: only it knows what became of a set that was on its way.
    if (crossed) refill();
  }

  live.on("parameters", async ({ renamed, changes, removed }) => {
    if (filling) await filling;
    if (renamed) rename(renamed);
    let stranger = false;
    for (const { path, value } of changes) {
      const entry = entries.get(path);
      if (!entry) stranger = true;
      else if (sent.has(path)) sent.get(path).crossed = true;
      else if (!pending.has(path)) {
        entry.value = number(entry, value);
        tell(path, entry.value);
      }
    }
    for (const path of removed) {
      if (entries.delete(path)) tell(path, undefined);
    }
    if (stranger) await refill();
    else if (removed.length) shapes.forEach((listener) => listener());
  });

  function set(path, value) {
    const entry = entries.get(path);
    if (!entry || !filled || !live.connected) return;
    entry.value = value;
    tell(path, value);
    pending.set(path, value);
    if (!timer) flush();
  }

  /** Sends what is to be set; what comes within the next moments goes together after it. */
  async function flush() {
    timer = null;
    if (!pending.size) return;
    timer = setTimeout(flush, FOLD_MS);
    const values = [...pending].map(([path, value]) => ({ path, value: value === -Infinity ? "-inf" : value }));
    pending = new Map();
    const mark = { crossed: false };
    for (const { path } of values) sent.set(path, mark);
    const paths = values.map(({ path }) => path);
    try {
      await live.call("set", { values });
    } catch (error) {
      if (error.code === 0) return;
      refusals.forEach((listener) => listener(error));
      mark.crossed = true;
    }
    for (const path of paths) if (sent.get(path) === mark) sent.delete(path);
    if (mark.crossed) await takeBack(paths.filter((path) => !sent.has(path)));
  }

  async function takeBack(paths) {
    if (!paths.length) return;
    const { values } = await live.call("get", { paths }).catch(() => ({ values: [] }));
    for (const { path, value } of values) {
      const entry = entries.get(path);
      if (!entry || pending.has(path) || sent.has(path)) continue;
      entry.value = number(entry, value);
      tell(path, entry.value);
    }
  }

  return {
    value: (path) => entries.get(path)?.value,
    info: (path) => entries.get(path),
    has: (path) => entries.has(path),
    paths: (prefix = "/") => [...entries.keys()].filter((path) => under(path, prefix)),
    set,
    watch(prefix, listener) {
      const key = prefix.replace(/(.)\/+$/, "$1");
      if (!watchers.has(key)) watchers.set(key, new Set());
      watchers.get(key).add(listener);
      return () => watchers.get(key).delete(listener);
    },
    onShape: add(shapes),
    onRefused: add(refusals),
    get filled() {
      return filled;
    },
  };
}

/** The names of the children of a branch, decoded: `names(tree, "/strip")` are the strips' ids. */
export function names(tree, branch) {
  const depth = branch.split("/").length;
  const found = new Set(tree.paths(branch).map((path) => path.split("/")[depth]));
  return [...found].filter((name) => name !== undefined).map(decodeURIComponent);
}

/** A name as a part of a path, written as the host writes it. */
export function part(name) {
  return [...new TextEncoder().encode(name.normalize("NFC"))]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      const plain = byte > 0x20 && byte < 0x7f && !" #*,/?[]{}%".includes(character);
      return plain ? character : "%" + byte.toString(16).toUpperCase().padStart(2, "0");
    })
    .join("");
}

function number(info, value) {
  return info.type === "number" && value === "-inf" ? -Infinity : value;
}
