/* SPDX-License-Identifier: MIT
 *
 * The whole system as a protocol: the host, its guard, jackd, an adopted player, a session that interrupts it, and a program
 * that wants to record. Each of host, guard and jackd may be killed between any two steps, KILLS times in all, and a killed host may
 * never come back. One step is one call of JACK, one message, or one change that the audio thread sees.
 *
 * The names of the steps are those of the code, with their files under Sources/Host. -DPLANT=n plants a fault (see
 * scripts/test-model), each of which violates the claim named there.
 */
#ifndef PLANT
#define PLANT 0
#endif
#ifndef KILLS
#define KILLS 3
#endif

/* Processes. */
bool jackd = true, hostUp = false, guardUp = false, returns = true;
byte kills = KILLS;

/* JACK's graph: the player's connections, and the recorder's. */
bool playerOn = false;             /* the player's client is on the server */
bool direct = false;               /* player -> hardware */
bool toStrip = false;              /* player -> strip */
bool attached = false;             /* the host's client, with its strip -> hardware */
bool capture = false;              /* hardware capture -> recorder */

/* JACK's reports that the host has not taken yet: of a connection that somebody else has made. */
bool strayed = false, strayedCapture = false;
/* How often the player and the recorder connect themselves again. */
byte tries = 2, captureTries = 2;
/* How often the holder asks for its session, or gives it back. */
byte asks = 3;

/* The engine of the living host: the strip's gate (Tower effect setGate), and the InputGate of its channel. */
bool gateClosed = false, watching = false;
/* The host moves the player: from here on it answers for what is heard. */
bool moving = false;

/* The tower: the holder's session interrupts the player's. `interrupted` is what the holder has been answered. */
bool holding = false, interrupted = false, asked = false;

/* The guard's last orders (GuardOrders): the placement of the player, and the cut of the recorder. */
bool hasOrders = false, placement = false, cutOrder = false, standsIn = false;
/* Another guard has the seat. */
bool isNew = false;
/* The host has taken the player over without having told a guard so far: nobody but the next host can bring it back. */
bool untold = false;

#define stripHeard  (jackd && hostUp && attached && toStrip && !gateClosed && !(watching && direct))
#define directHeard (jackd && playerOn && direct)
#define heard       (stripHeard || directHeard)
#define twice       (stripHeard && directHeard)
#define nobody      (!hostUp && !returns && (!guardUp || untold || !placement))
#define watchedOver (hostUp || returns || (guardUp && cutOrder))

/* --- jackd ---------------------------------------------------------------------------------------------------- */

inline killJackd() {
  jackd = false; playerOn = false; direct = false; toStrip = false; attached = false; capture = false;
  strayed = false; strayedCapture = false
}

/* A server that the host owns is started by it (ServerControl); any other one by its service. */
proctype Server() {
end:
  do
  :: atomic { !jackd -> jackd = true }
  od
}

/* --- The player, and the program that wants to record ------------------------------------------------------------ */

proctype Player() {
end:
  do
  :: atomic { jackd && !playerOn -> playerOn = true; direct = true; strayed = true }
  /* It connects itself again, whenever it likes. */
  :: atomic { jackd && playerOn && !direct && tries > 0 -> tries--; direct = true; strayed = true }
  od
}

proctype Recorder() {
end:
  do
  :: atomic { jackd && !capture && captureTries > 0 -> captureTries--; capture = true; strayedCapture = true }
  od
}

/* --- The holder of a session: `multiroute session hold` ---------------------------------------------------------- */

proctype Holder() {
end:
  do
  :: atomic { !asked && !holding && asks > 0 -> asks--; asked = true }            /* session.activate */
  :: atomic { !asked && holding && hostUp && asks > 0 -> asks--; asked = true }   /* session.deactivate */
  od
}

/* --- The host ---------------------------------------------------------------------------------------------------- */

/* GuardRoom.update: whole orders to the guard, if one runs; GuardPatch has only what is heard at full level. */
inline tellGuard() {
  atomic {
    if
    :: guardUp && !standsIn ->
      hasOrders = true; cutOrder = true;
#if PLANT == 4
      placement = toStrip;
#else
      placement = toStrip && !gateClosed;
#endif
      untold = false
    :: else
    fi
  }
}

/* GuardRoom.update starts a guard; GuardSeat.take ends the one before. */
inline startGuard() {
  atomic {
    if
#if PLANT != 9
    :: !guardUp || standsIn -> guardUp = true; isNew = true; standsIn = false; hasOrders = false; placement = false; cutOrder = false
#else
    :: !guardUp -> guardUp = true; isNew = true; standsIn = false; hasOrders = false; placement = false; cutOrder = false
#endif
    :: else
    fi
  };
  tellGuard()
}

/* StripMover.moveToStrip: the gate of the channel watches, then the strip is connected, then the direct connection goes. */
inline moveToStrip() {
  atomic {
    moving = true;
#if PLANT != 1
    watching = true                                 /* reviewInputGate -> InputGate.watch */
#endif
  };
  atomic { if :: jackd && attached && playerOn -> toStrip = true; untold = !(guardUp && hasOrders && placement) :: else fi };
  atomic {
#if PLANT != 6
    direct = false;                                 /* attachment.connections.cut */
#endif
    strayed = false; moving = false                 /* from here on, a connection of others is reported anew */
  }
}

/* StripMover.reviewInputGates: where the direct connection has gone, the gate is released. */
inline reviewInputGate() {
  atomic { if :: !direct -> watching = false :: else fi }
}

/* Host.swift: the end in an orderly manner. */
inline moveToHardware() {
  atomic {
    if
    :: jackd && toStrip && !gateClosed ->
#if PLANT != 2
      watching = true;
#endif
      skip
    :: else
    fi
  };
  atomic { if :: jackd && playerOn && toStrip && !gateClosed -> direct = true :: else fi };
  atomic { toStrip = false }
}

proctype Host() {
  bool ends;
end:
  do
  :: atomic {
       !hostUp && returns ->
       hostUp = true; gateClosed = false; watching = false; attached = false; ends = false;
       interrupted = false; holding = false; asked = false
     };
     {
       do
       /* Life.starting and Life.lost: AttachmentMaker attaches; a guard that stands in hears of it (GuardSeat.call). */
       :: atomic { jackd && !attached -> attached = true; toStrip = false; strayed = playerOn;
#if PLANT != 8
            strayedCapture = capture                /* CaptureRoom.begin -> enforceAll */
#else
            strayedCapture = false
#endif
          };
          startGuard()

       /* AdoptionRoom: JACK reports a connection of the player. */
       :: atomic { jackd && attached && strayed && playerOn };
          moveToStrip();
          startGuard();
          reviewInputGate()

       /* A strip whose player has come back from nowhere: the ConnectionKeeper joins what its rules say. */
       :: atomic { jackd && attached && playerOn && !direct && !toStrip && !strayed ->
            toStrip = true; untold = !(guardUp && hasOrders && placement) };
          startGuard()

       /* CaptureCuts.cut: a program without permission is cut at JACK's report (PRM-1). */
       :: atomic { jackd && attached && strayedCapture -> capture = false; strayedCapture = false }

       /* The timer: a guard that has gone is replaced, and one with old orders gets the new ones. */
       :: atomic { attached && (!guardUp || standsIn || !hasOrders || placement != (toStrip && !gateClosed)) };
          startGuard()

       /* session.activate: the gate closes, the guard is told, then the holder is answered. */
       :: atomic { attached && asked && !holding };
#if PLANT == 3
          gateClosed = true;
          atomic { holding = true; interrupted = true; asked = false };
          tellGuard()
#else
          gateClosed = true;
          tellGuard();
          atomic { holding = true; interrupted = true; asked = false }
#endif
       /* session.deactivate: the interruption ends, the gate opens, the guard is told. */
       :: atomic { attached && asked && holding -> holding = false; interrupted = false; asked = false };
          gateClosed = false;
          tellGuard()

       /* The server is gone: Life.lost. */
       :: atomic { !jackd && attached -> attached = false }

       /* SIGTERM. */
       :: atomic { attached && !strayed && !asked && kills > 0 && !ends -> kills--; ends = true };
          moveToHardware();
          atomic {
            guardUp = false; standsIn = false; hasOrders = false; placement = false; cutOrder = false; untold = false;
            hostUp = false; attached = false; toStrip = false; watching = false; strayed = false; asked = false;
            if :: returns = false :: returns = true fi
          }
       od
     } unless { !hostUp }
  od
}

/* --- The guard --------------------------------------------------------------------------------------------------- */

proctype Guard() {
end:
  do
  :: atomic { guardUp -> isNew = false };
     {
       /* GuardProcess.run: the channel is closed, because the host is dead. Without orders it ends. */
#if PLANT != 5
       atomic {
         !hostUp && !standsIn ->
         standsIn = true;
         if :: !hasOrders -> guardUp = false; standsIn = false :: else fi
       };
       /* GuardProcess.patch: connections of an output whose client is there. To a host that is back it is one of others. */
       atomic { if :: jackd && playerOn && placement && !direct -> direct = true; strayed = hostUp :: else fi };
#else
       atomic { !hostUp && !standsIn -> standsIn = true };
#endif
       do
       /* CaptureWatch.enforce, until GuardSeat.receive brings the end. */
#if PLANT != 7
       :: atomic { jackd && standsIn && cutOrder && capture -> capture = false; strayedCapture = false }
#endif
       /* Its server has gone: it has nothing left to do. */
       :: atomic { !jackd && standsIn -> guardUp = false; standsIn = false; hasOrders = false; placement = false }
       od
     } unless { !guardUp || isNew }
  od
}

/* --- Death ------------------------------------------------------------------------------------------------------- */

proctype Killer() {
end:
  do
  :: atomic {
       kills > 0 && hostUp -> kills--;
       hostUp = false; attached = false; toStrip = false; gateClosed = false; watching = false; moving = false; asked = false;
       if :: returns = false :: returns = true fi
     }
  :: atomic { kills > 0 && guardUp -> kills--; guardUp = false; standsIn = false; hasOrders = false; placement = false; cutOrder = false }
  :: atomic { kills > 0 && jackd -> kills--; killJackd() }
  od
}

init {
  atomic { run Server(); run Player(); run Recorder(); run Holder(); run Host(); run Guard(); run Killer() }
}

/* Never heard twice, except where the player or the user has just connected it a second time. */
ltl once { [] (twice -> (strayed && !moving)) }
/* Never heard while interrupted, except until the host has taken JACK's report of the player's own connection. */
ltl interruption { [] ((interrupted && heard) -> strayed) }
/* What the player connects itself does not last while the host lives, or comes back. */
ltl handled { [] ((strayed && (hostUp || returns)) -> <> (!strayed || !(hostUp || returns))) }
/* Never silent for ever: sooner or later it is heard, interrupted, or nobody is left. */
ltl sound { [] <> (heard || interrupted || nobody) }
/* Never recorded without permission for longer than it takes to cut it. */
ltl recording { [] ((capture && watchedOver) -> <> (!capture || !watchedOver)) }
