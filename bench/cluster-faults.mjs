// What the soak on several nodes does to a node, or to what all nodes use.
import { setTimeout as sleep } from 'node:timers/promises'

const sickMs = 15_000
const briefMs = 6_000
/** So long the program that watches the servers needs until it promotes the replica. */
const detectMs = 2_000

/** A fault of the connection between one node and a server: what the wire does, and for how long. */
const ofWire = (name, mode, forMs) => ({
  begin: (node) => node[name].behave(mode),
  async end(node) {
    await sleep(forMs)
    node[name].cut()
    node[name].behave('passes')
  },
})

/** Faults of one node, by name. `join` starts a node. */
export const nodeFaults = (join) => ({
  kill: {
    async begin({ kill, wire, natsWire }) {
      const ended = await kill()
      if (ended !== null) throw new Error(`a node ended by itself with ${ended}`)
      wire.close()
      natsWire?.close()
    },
    end: ({ index }) => join(index),
  },
  freeze: {
    begin: ({ pid }) => process.kill(pid, 'SIGSTOP'),
    async end({ pid }) {
      await sleep(sickMs)
      process.kill(pid, 'SIGCONT')
    },
  },
  cut: { begin: ({ wire }) => wire.cut(), end: () => {} },
  silence: {
    begin: ({ wire }) => wire.behave('holds'),
    async end({ wire }) {
      await sleep(sickMs)
      wire.behave('passes')
    },
  },
  refuse: ofWire('wire', 'refuses', sickMs),
  'lose-answers': ofWire('wire', 'loses answers', briefMs),
  'nats-cut': { begin: ({ natsWire }) => natsWire.cut(), end: () => {} },
  'nats-silence': ofWire('natsWire', 'holds', sickMs),
})

/** Faults of what all nodes use, by name. */
export const sharedFaults = ({ servers, nodes, database, accounts, sink, hooks }) => ({
  'nats-kill': {
    begin: () => servers.nats.kill(),
    async end() {
      await sleep(briefMs)
      await servers.nats.start()
    },
  },
  'database-crash': {
    begin: () => servers.postgres.crash(),
    async end() {
      await sleep(briefMs)
      await servers.postgres.start()
    },
  },
  // The replica takes over at another address, and no second one follows it.
  failover: {
    begin: () => servers.postgres.crash(),
    async end() {
      const { postgres, replica } = servers
      if (!replica) return void (await postgres.start())
      await sleep(detectMs)
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
    async end() {
      await sleep(sickMs)
      await this.release().catch(() => {})
    },
  },
  'next-server-defers': {
    begin: () => (sink.defers = true),
    async end() {
      await sleep(briefMs)
      sink.defers = false
    },
  },
  'webhooks-fail': {
    begin: () => (hooks.fail = true),
    async end() {
      await sleep(briefMs)
      hooks.fail = false
    },
  },
})
