import { existsSync } from 'node:fs'
import { type Kysely, sql } from 'kysely'
import { systemClock } from '../../service/base/time'
import { dkimKeyName, dkimKeys, dkimKeyValue } from '../../service/domains/dkim-keys'
import { createResolver } from '../../service/net/resolver'
import type { Clock, Resolver } from '../../service/ports'
import type { SettingName, Settings } from '../../service/settings'
import { connectLibsql, openLibsql } from '../../service/store/libsql-database'
import { connectPostgres } from '../../service/store/open-postgres'
import { databaseFile, filesOpenToOthers } from '../../service/store/open-sqlite'
import type { Database } from '../../service/store/tables/schema'
import { checkWal } from '../../service/store/wal-check'
import { readLastCommit, readWitness } from '../../service/store/witness'
import { type Finding, isRealDomain, judgeSettings } from './fitness'
import { judgeAnswers } from './fitness-answers'
import { judgeDns } from './fitness-dns'
import { judgeEmbeddings } from './fitness-embeddings'
import {
  type InboundRoads,
  judgeConnections,
  judgeInboundKeys,
  judgeInboundMx,
  readInboundRoads,
} from './fitness-inbound'
import { judgeSmarthost } from './fitness-smarthost'

/** Replacements for the system's ports. */
interface DoctorPorts {
  clock?: Clock
  resolver?: Resolver
}

const maxSkewMs = 5_000
const restoring = 'Start the service: it says what is missing, and the ways to go on.'

/** Finds a clock that is behind or, with `bothWays`, ahead, which only a database with a clock reveals. */
function judgeClock(nowMs: number, otherMs: number, whose: string, bothWays: boolean): Finding | null {
  const skewMs = otherMs - nowMs
  if (bothWays ? Math.abs(skewMs) <= maxSkewMs : skewMs <= maxSkewMs) return null
  const how = skewMs > 0 ? 'behind' : 'ahead of'
  return {
    check: 'clock',
    problem: `The clock of this machine is ${Math.round(Math.abs(skewMs) / 1_000)} s ${how} ${whose}.`,
    remedy: 'Let NTP set it: links, leases and signatures have times in them.',
  }
}

type HostKey = { name: string; value: string } | null

interface Seen {
  findings: (Finding | null)[]
  dkim: HostKey
  /** Undefined if unknown. */
  roads?: InboundRoads
}

async function lookAtMail(db: Kysely<Database>, settings: Settings, clock: Clock): Promise<Seen> {
  return {
    findings: [
      ...(await judgeInboundKeys(db, settings)),
      ...(await judgeConnections(db)),
      ...(await judgeAnswers(db, clock.now())),
      await judgeEmbeddings(db, settings, clock.now()),
    ],
    dkim: await hostKeyIn(db, settings.domain),
    roads: await readInboundRoads(db),
  }
}

async function hostKeyIn(db: Kysely<Database>, domain: string): Promise<HostKey> {
  const [key] = await dkimKeys(db, { tenant_id: 'host', domain_id: domain })
  return key ? { name: dkimKeyName(key, domain), value: dkimKeyValue(key) } : null
}

async function lookAtPostgres(url: string, settings: Settings, clock: Clock): Promise<Seen> {
  const db = await connectPostgres(url)
  try {
    const { rows } = await sql<{ now: Date }>`select now() as now`.execute(db)
    const found = judgeClock(clock.now(), rows[0]!.now.getTime(), 'that of PostgreSQL', true)
    const seen = await lookAtMail(db, settings, clock)
    return { ...seen, findings: [found, ...seen.findings] }
  } finally {
    await db.destroy()
  }
}

async function lookAtFolder(folder: string, settings: Settings, clock: Clock): Promise<Seen> {
  const findings: (Finding | null)[] = []
  const open = filesOpenToOthers(folder)
  if (open.length > 0) {
    const problem = `Others on this machine may read ${open.join(', ')}.`
    findings.push({ check: 'open_folder', problem, remedy: `chmod -R go-rwx ${folder}` })
  }
  const file = databaseFile(folder)
  if (!existsSync(file)) return { findings, dkim: null }
  const seen = readWitness(folder)
  if (seen)
    findings.push(judgeClock(clock.now(), Date.parse(seen.at), 'the last commit of the database', false))
  const wal = checkWal(`${file}-wal`)
  // Opening the database would destroy the rest of its log.
  if (wal && (wal.badHeader || wal.lostFrames > 0))
    return {
      findings: [
        ...findings,
        { check: 'damaged_log', problem: `${file}-wal is damaged.`, remedy: restoring },
      ],
      dkim: null,
    }
  const db = connectLibsql(openLibsql(file))
  try {
    const held = await readLastCommit(db)
    if (seen && seen.number > (held?.number ?? 0)) {
      findings.push({
        check: 'commits_missing',
        problem: `The end of ${file} is missing.`,
        remedy: restoring,
      })
      return { findings, dkim: null }
    }
    const mail = await lookAtMail(db, settings, clock)
    return { ...mail, findings: [...findings, ...mail.findings] }
  } finally {
    await db.destroy()
  }
}

function lookAtStore(settings: Settings, clock: Clock): Promise<Seen> {
  const { databaseUrl, data } = settings
  if (databaseUrl !== undefined) return lookAtPostgres(databaseUrl, settings, clock)
  if (data !== undefined) return lookAtFolder(data, settings, clock)
  return Promise.resolve({ findings: [], dkim: null })
}

const unreadable = (error: unknown): Seen => ({
  dkim: null,
  findings: [
    {
      check: 'database',
      problem: `The database cannot be read: ${(error as Error).message}.`,
      remedy: 'Start the service: it says what to do about it.',
    },
  ],
})

/**
 * Finds problems for production in the settings, the data folder, the clock, the smarthost and the DNS. The
 * service may be running.
 */
export async function examine(
  settings: Settings,
  inArguments: readonly SettingName[],
  { clock = systemClock, resolver = createResolver() }: DoctorPorts = {},
): Promise<Finding[]> {
  const { domain, delivery, smtp } = settings
  const found = judgeSettings({ settings, inArguments })
  const { findings, dkim, roads } = await lookAtStore(settings, clock).catch(unreadable)
  const smarthost = await judgeSmarthost(settings)
  found.push(...[...findings, smarthost].filter((one) => one !== null))
  if (!isRealDomain(domain)) return found
  const inDns = await judgeDns({ resolver, domain, isDirect: delivery === 'direct', dkim })
  if (smtp !== 'off') return [...found, ...inDns]
  // SMTP is off, so the MX is that of a provider, if any.
  const mx = roads ? await judgeInboundMx(resolver, domain, roads) : null
  return [...found, ...(mx ? [mx] : []), ...inDns.filter(({ check }) => check !== 'mx')]
}
