import { callAdmin } from '../service/admin-channel'
import { createOutput } from './output'

interface HostOptions {
  data: string
  json?: boolean
}

/** `restante admin send-held`: the mail that a restore held. */
export async function sendHeld({ data, json }: HostOptions): Promise<void> {
  const answer = await callAdmin(data, { command: 'send-held' })
  createOutput(json).tell(`${answer.jobs} mails that were held go out now.`, answer)
}
