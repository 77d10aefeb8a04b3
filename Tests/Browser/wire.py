# SPDX-License-Identifier: MIT
"""A network between Chromium and a host, which a script can cut."""

import asyncio
import threading

CHUNK_BYTES = 65_536


class Wire:
    """Hands connections of a port of its own on to another one.

    A cut network swallows everything and tells nobody, like one whose link is down. Its end resets the old connections.
    """

    def __init__(self, port):
        self._target = port
        self._loop = asyncio.new_event_loop()
        self._is_cut = False
        self._writers = set()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        self.port = self._run(self._listen())

    def _run(self, work):
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    async def _listen(self):
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        return self._server.sockets[0].getsockname()[1]

    async def _accept(self, reader, writer):
        self._writers.add(writer)
        try:
            away_reader, away_writer = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:
            return writer.close()
        self._writers.add(away_writer)
        await asyncio.gather(self._hand(reader, away_writer), self._hand(away_reader, writer))

    async def _hand(self, reader, writer):
        try:
            while data := await reader.read(CHUNK_BYTES):
                if not self._is_cut:
                    writer.write(data)
                    await writer.drain()
        except OSError:
            pass
        if not self._is_cut:
            writer.close()

    async def _set(self, is_cut):
        self._is_cut = is_cut
        if not is_cut:
            for writer in self._writers:
                writer.transport.abort()
            self._writers.clear()

    def cut(self):
        self._run(self._set(True))

    def join(self):
        self._run(self._set(False))
