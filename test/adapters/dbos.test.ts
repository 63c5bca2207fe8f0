import pg from 'pg'
import { askByMail, type DbosLike, resumeByMail } from 'restante/dbos'
import { createWorld } from 'restante/testing'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../bench/ports.mjs'
import { startDev, temporaryFolder } from '../cli/support/cli'
import { reachable } from '../support/databases'
import { postgresUrl } from '../support/postgres-url'
import { proves } from '../support/proves'
import { answerAsBoss, runExample, sentBy } from './support/durable'

/** A schema of its own, gone with the test. */
const useSchema = () => {
  const schema = `dbos_${crypto.randomUUID().replaceAll('-', '')}`
  onTestFinished(async () => {
    const client = new pg.Client(postgresUrl)
    await client.connect()
    await client.query(`drop schema if exists "${schema}" cascade`)
    await client.end()
  })
  return schema
}

if (reachable)
  proves(
    'DBOS',
    'wait',
    'a workflow sleeps until the answer to its mail, though it and the service are killed; one mail goes out',
    async () => {
      const data = await temporaryFolder()
      const http = ['--http', `127.0.0.1:${await freePort()}`, '--data', data]
      const before = await startDev(http)
      const env = {
        RESTANTE_URL: before.facts.url,
        RESTANTE_API_KEY: before.facts.api_key,
        DBOS_DATABASE_URL: postgresUrl,
        DBOS_SCHEMA: useSchema(),
      }
      const first = runExample('examples/dbos.ts', env)
      await first.out(/asked/)
      await expect.poll(() => sentBy(before.facts).then(({ length }) => length)).toBe(1)
      await Promise.all([first.kill('SIGKILL'), before.dev.kill('SIGKILL')])
      const { facts } = await startDev(http)
      await answerAsBoss(facts, 'Yes, but blue ones.')
      const second = runExample('examples/dbos.ts', env)
      await second.out(/the boss said: Yes, but blue ones\./)
      expect(await sentBy(facts)).toHaveLength(1)
    },
    120_000,
  )
else test.skip('DBOS: needs a PostgreSQL')

const asked = async () => {
  const world = await createWorld()
  onTestFinished(() => world[Symbol.asyncDispose]())
  const mailbox = await world.open()
  const reported: unknown[][] = []
  const waits: unknown[][] = []
  let failures = 1
  const dbos: DbosLike = {
    workflowID: 'order-17',
    runStep: (action) => action(),
    recv: async (topic, seconds) => {
      waits.push([topic, seconds])
      return null
    },
    send: async (workflow, answer, topic, id) => {
      const { text, verified, prompt } = answer as { text: string; verified: boolean; prompt: string }
      reported.push([workflow, topic, text, verified, prompt.includes('It is data'), id?.slice(0, 4)])
      if (failures-- > 0) throw new Error('the database is not there')
    },
  }
  const question = { to: 'boss@example.com', subject: 'May I?', text: 'Yes or no?' }
  const ask = (key: string, timeoutMs?: number) => askByMail(dbos, mailbox, { key, ...question, timeoutMs })
  const boss = world.person('boss@example.com')
  const arrived = async (count: number) => {
    await expect.poll(() => world.settle().then(() => boss.mails.length)).toBe(count)
    return boss.mails
  }
  return { world, mailbox, dbos, reported, waits, ask, boss, arrived }
}

test('an answer is told to the waiting workflow until it is taken; mail of a program is no answer', async () => {
  const { world, mailbox, dbos, reported, waits, ask, boss, arrived } = await asked()
  expect(await ask('first')).toBeNull()
  await ask('second', 60_000)
  await ask('second', 60_000)
  const tenYears = 10 * 365 * 86_400
  expect(waits).toEqual([
    ['first', tenYears],
    ['second', 60],
    ['second', 60],
  ])
  const [first, second] = await arrived(2)
  await using run = resumeByMail(dbos, mailbox, { onError: () => {} })
  await boss.reply({ text: 'I am away.', to: first, headers: { 'Auto-Submitted': 'auto-replied' } })
  await world.person('eve@example.com').write({ to: mailbox.address, subject: 'Re: May I?', text: 'No!' })
  await boss.reply({ text: 'Yes.', to: second })
  const answer = ['order-17', 'second', 'Yes.', true, true, 'msg_']
  const settled = () => world.advance({ seconds: 5 }).then(() => [reported, run.active])
  await expect.poll(settled).toEqual([[answer, answer], 0])
})

test('the id of a workflow may have any characters', async () => {
  const { mailbox, dbos, reported, boss, arrived } = await asked()
  const workflowID = 'orders/2026 no. 17%2F'
  await askByMail({ ...dbos, workflowID }, mailbox, {
    key: 'a/b',
    to: 'boss@example.com',
    text: 'Yes or no?',
  })
  const [question] = await arrived(1)
  await using _run = resumeByMail(dbos, mailbox, { onError: () => {} })
  await boss.reply({ text: 'Yes.', to: question })
  await expect.poll(() => reported[0]?.slice(0, 3)).toEqual([workflowID, 'a/b', 'Yes.'])
})

test('a question that would wait for ever, or wake nobody, is refused', async () => {
  const { mailbox, dbos } = await asked()
  const question = { key: 'first', to: 'boss@example.com', text: 'Yes or no?' }
  const outside = { ...dbos, workflowID: undefined }
  await expect(askByMail(outside, mailbox, question)).rejects.toMatchObject({ code: 'not_in_workflow' })
  await expect(askByMail(dbos, mailbox, { ...question, key: 'order\n17' })).rejects.toMatchObject({
    code: 'invalid_token',
  })
})
