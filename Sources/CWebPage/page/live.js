// SPDX-License-Identifier: MIT
// The link to the host: JSON-RPC 2.0 over one WebSocket, meters in binary frames.

const SHORTEST_PAUSE = 250;
const LONGEST_PAUSE = 500;
// What a dead network swallows is lost: the next attempt is there sooner than the second try of this one.
const SHORTEST_PATIENCE = 600;
const LONGEST_PATIENCE = 3000;
// Meters come 30 times a second, so a silence means something: the host is asked, and then given up.
const ASK_AFTER = 400;
const LOST_AFTER = 1200;
const SILENCE = -32768;

/** An answer of the host that is an error, or a request that the lost link has taken with it (code 0). */
class HostError extends Error {
  constructor({ code, message, data }) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/**
 * Opens the link, and opens it again whenever it is lost. Requests are never sent a second time.
 *
 * Kinds of `on`: `state` ({connected, sinceMs}), `event`, `parameters`, `places` (array), `meters`
 * (Map path → {peak: [], rms: []} in dB, −Infinity is silence), and each other notification by its method.
 */
export function openLive(address = liveAddress()) {
  const listeners = new Map();
  const waiting = new Map();
  const meters = new Map();
  let socket = null;
  let connected = false;
  let nextId = 1;
  let pause = SHORTEST_PAUSE;
  let patience = 10_000;
  let attempts = 0;
  let timer = 0;
  let lastNews = performance.now();
  let lastCheck = lastNews;
  let asked = false;
  let generation = -1;
  let places = [];

  const emit = (kind, value) => listeners.get(kind)?.forEach((listener) => listener(value));
  const emitState = () => emit("state", { connected, sinceMs: performance.now() - lastNews });

  function on(kind, listener) {
    if (!listeners.has(kind)) listeners.set(kind, new Set());
    listeners.get(kind).add(listener);
    return () => listeners.get(kind).delete(listener);
  }

  function call(method, params = {}) {
    if (!connected) return Promise.reject(lost());
    const id = nextId++;
    const answer = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
    socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    return answer;
  }

  function open() {
    const began = performance.now();
    // Now and then a patient one, for a network that has become slow.
    timer = setTimeout(drop, ++attempts % 10 ? patience : Math.max(patience, LONGEST_PATIENCE));
    socket = new WebSocket(address);
    socket.binaryType = "arraybuffer";
    const mine = socket;
    socket.onopen = () => {
      if (mine !== socket) return;
      connected = true;
      asked = false;
      attempts = 0;
      pause = SHORTEST_PAUSE;
      clearTimeout(timer);
      lastNews = performance.now();
      patience = Math.max(SHORTEST_PATIENCE, 3 * (lastNews - began));
      // Before all others, so that what they ask for is answered after it.
      call("webMeters", { on: !document.hidden }).catch(() => {});
      call("subscribe", { topics: ["events"] }).catch(() => {});
      emitState();
    };
    socket.onmessage = ({ data }) => mine === socket && receive(data);
    socket.onclose = () => mine === socket && drop();
  }

  function drop() {
    const was = connected;
    connected = false;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
    for (const { reject } of waiting.values()) reject(lost());
    waiting.clear();
    meters.clear();
    generation = -1;
    emitState();
    // A random part keeps many pages from coming back at the same moment.
    clearTimeout(timer);
    timer = setTimeout(open, was ? SHORTEST_PAUSE : pause * (0.75 + Math.random() / 4));
    pause = Math.min(Math.max(pause * 2, SHORTEST_PAUSE), LONGEST_PAUSE);
  }

  function receive(data) {
    lastNews = performance.now();
    asked = false;
    if (data instanceof ArrayBuffer) return receiveMeters(new DataView(data));
    let message;
    try {
      message = JSON.parse(data);
    } catch {
      return;
    }
    if (message.method === "webPlaces") {
      ({ generation, places } = message.params);
      meters.clear();
      emit("places", places);
    } else if (message.method) {
      emit(message.method, message.params);
    } else {
      const request = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.error) request?.reject(new HostError(message.error));
      else request?.resolve(message.result);
    }
  }

  function receiveMeters(view) {
    if (view.byteLength < 8 || view.getUint32(4, true) !== generation) return;
    let offset = 8;
    for (const { path, channels } of places) {
      if (offset + 4 * channels > view.byteLength) return;
      let meter = meters.get(path);
      if (!meter) meters.set(path, (meter = { peak: [], rms: [] }));
      for (let channel = 0; channel < channels; channel++, offset += 4) {
        meter.peak[channel] = decibels(view.getInt16(offset, true));
        meter.rms[channel] = decibels(view.getInt16(offset + 2, true));
      }
    }
    emit("meters", meters);
  }

  setInterval(() => {
    const now = performance.now();
    const late = now - lastCheck > 500;
    lastCheck = now;
    // A page that was asleep first reads what has come meanwhile. A hidden one gets no meters.
    if (!connected || late || document.hidden) return;
    if (now - lastNews > LOST_AFTER) drop();
    else if (now - lastNews > ASK_AFTER && !asked) {
      asked = true;
      call("webMeters", { on: true }).catch(() => {});
    }
  }, 200);

  document.addEventListener("visibilitychange", () => {
    lastNews = performance.now();
    if (connected) call("webMeters", { on: !document.hidden }).catch(() => {});
  });
  addEventListener("offline", () => connected && !local() && drop());
  addEventListener("online", () => {
    if (connected) return;
    pause = 0;
    drop();
  });
  open();
  return {
    call,
    on,
    get connected() {
      return connected;
    },
    get places() {
      return places;
    },
  };
}

const decibels = (hundredths) => (hundredths === SILENCE ? -Infinity : hundredths / 100);
const lost = () => new HostError({ code: 0, message: "The link to the host is lost; nothing was sent." });
const local = () => ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);

function liveAddress() {
  return `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/live`;
}
