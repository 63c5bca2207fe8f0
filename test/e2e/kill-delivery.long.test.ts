import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openLibsql } from '../../src/service/store/libsql-database'
import { type FakeReply, type FakeSmtp, startFakeSmtp } from '../support/fake-smtp'
import { startDev } from '../support/service-process'
import { temporaryFolder } from '../support/temporary-folder'

const idOf = (mail: string) => /^Message-ID: (\S+)/im.exec(mail)?.[1]

/** Lets nobody write to the database of a service. */
function lockDatabase(folder: string): () => void {
  const database = openLibsql(join(folder, 'restante.sqlite'))
  database.exec('pragma busy_timeout = 10000')
  database.exec('begin immediate')
  return () => database.close()
}

/**
 * Sends a mail by a service that is killed and then runs again: killed where the remote says nothing to DATA or to the
 * last dot, or where it has said that it took the mail, and that could not be written down.
 */
async function killAt(point: 'DATA' | '.' | 'commit'): Promise<{ remote: FakeSmtp; messageId: string }> {
  const step = point === 'commit' ? '.' : point
  const data = await temporaryFolder()
  let isDeaf = true
  let unlock = () => {}
  const fine = { DATA: '354 go on', '.': '250 2.0.0 taken' }
  let reached = () => {}
  const there = new Promise<void>((resolve) => {
    reached = resolve
  })
  const answer = (): FakeReply => {
    if (!isDeaf) return fine[step]
    if (point !== 'commit') {
      reached()
      return 'SILENCE'
    }
    isDeaf = false
    unlock = lockDatabase(data)
    // The client ends its side once it has read what came before the end of ours.
    setImmediate(() => void remote.dropAll().then(reached))
    return fine[step]
  }
  const remote: FakeSmtp = await startFakeSmtp({ [step]: answer })
  const options = { data, delivery: `smtp://127.0.0.1:${remote.port}` }
  const first = await startDev(options)
  const { url, api_key } = first.facts
  const headers = { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ to: ['bo@there.test'], subject: 'Once', text: 'hi' })
  const sent = await (await fetch(`${url}/messages`, { method: 'POST', headers, body })).json()
  await there
  await first.end('SIGKILL')
  isDeaf = false
  unlock()

  const second = await startDev(options)
  const status = async () => {
    const answer = await fetch(`${second.facts.url}/messages/${sent.id}`, { headers })
    return (await answer.json()).delivery_status
  }
  await expect.poll(status).toBe('sent')
  await second.end('SIGKILL')
  const third = await startDev(options)
  // What it did at its start is done once a mail that was queued later has left.
  const later = { ...JSON.parse(body), subject: 'Later' }
  await fetch(`${third.facts.url}/messages`, { method: 'POST', headers, body: JSON.stringify(later) })
  await expect.poll(() => remote.mails.some((mail) => mail.includes('Later'))).toBe(true)
  return { remote, messageId: sent.message_id }
}

const arrived = ({ mails }: FakeSmtp) => mails.filter((mail) => mail.includes('Subject: Once')).map(idOf)

test('a mail whose sender was killed before the last dot arrives once', async () => {
  const { remote, messageId } = await killAt('DATA')
  expect(arrived(remote)).toEqual([messageId])
})

test('a mail whose sender was killed after the last dot, unanswered, arrives again under the same Message-ID', async () => {
  const { remote, messageId } = await killAt('.')
  expect(arrived(remote)).toEqual([messageId, messageId])
})

test('a mail that was taken, which its sender was killed before it could write down, arrives once more at most, under the same Message-ID', async () => {
  const { remote, messageId } = await killAt('commit')
  expect(arrived(remote)).toEqual([messageId, messageId])
})
