// What the soak on several nodes does to a node, or to what all nodes use. A fault begins, lasts for some ms, and ends.

const sickMs = 15_000
const briefMs = 6_000
/** So long the program that watches the servers needs until it promotes the replica. */
const detectMs = 2_000

/** A fault of the connection between one node and a server. */
const ofWire = (name, mode, forMs) => ({
  begin: (node) => node[name].behave(mode),
  forMs,
  end: (node) => node[name].behave('passes'),
})
const cutOf = (name) => ({ begin: (node) => node[name].cut(), forMs: 0, end: () => {} })

/** Faults of one node, by name. `join` starts a node; an end that returns a node replaces the sick one. */
export const nodeFaults = (join) => ({
  kill: {
    async begin({ kill, wire, natsWire }) {
      const ended = await kill()
      if (ended !== null) throw new Error(`a node ended by itself with ${ended}`)
      wire.close()
      natsWire?.close()
    },
    forMs: 0,
    end: ({ index }) => join(index),
  },
  freeze: {
    begin: ({ pid }) => process.kill(pid, 'SIGSTOP'),
    forMs: sickMs,
    end: ({ pid }) => void process.kill(pid, 'SIGCONT'),
  },
  cut: cutOf('wire'),
  silence: ofWire('wire', 'holds', sickMs),
  refuse: ofWire('wire', 'refuses', sickMs),
  'lose-answers': ofWire('wire', 'loses answers', briefMs),
  'nats-cut': cutOf('natsWire'),
  'nats-silence': ofWire('natsWire', 'holds', sickMs),
})

/** Faults of what all nodes use, by name. */
export const sharedFaults = ({ servers, nodes, database, accounts, sink, hooks }) => ({
  'nats-kill': { begin: () => servers.nats.stop(), forMs: briefMs, end: () => servers.nats.start() },
  'database-crash': {
    begin: () => servers.postgres.stop('immediate'),
    forMs: briefMs,
    end: () => servers.postgres.start(),
  },
  // The replica takes over at another address, and no second one follows it.
  failover: {
    begin: () => servers.postgres.stop('immediate'),
    forMs: detectMs,
    async end() {
      const { postgres, replica } = servers
      if (!replica) return postgres.start()
      await replica.promote()
      Object.assign(servers, { postgres: replica, replica: undefined, former: postgres })
      database.moveTo(replica.url)
      for (const { wire } of nodes) {
        wire.targets.clear()
        wire.targets.add(replica.host)
        wire.cut()
      }
    },
  },
  'hold-row': {
    async begin() {
      const { address } = accounts[Math.floor(Math.random() * accounts.length)]
      this.release = await database.holdRow(address)
    },
    forMs: sickMs,
    end() {
      return this.release().catch(() => {})
    },
  },
  'next-server-defers': {
    begin: () => (sink.defers = true),
    forMs: briefMs,
    end: () => (sink.defers = false),
  },
  'webhooks-fail': { begin: () => (hooks.fail = true), forMs: briefMs, end: () => (hooks.fail = false) },
})
