import type { Kysely } from 'kysely'
import type { Settings } from '../settings'
import type { Database } from '../store/tables'
import type { Finding } from './fitness'

/** Judges the keys that bring mail in: whether there is one where SMTP is off, and whether their providers get in. */
export async function judgeInboundKeys(
  db: Kysely<Database>,
  { smtp }: Pick<Settings, 'smtp'>,
): Promise<Finding[]> {
  const keys = await db
    .selectFrom('api_keys')
    .select(['id', 'provider', 'last_used_at', 'refused_at', 'refused_reason'])
    .where('scopes', '=', 'inbound')
    .where('revoked_at', 'is', null)
    .orderBy('id')
    .execute()
  const findings: Finding[] = []
  if (smtp === 'off' && keys.length === 0)
    findings.push({
      check: 'no_inbound_key',
      problem: 'SMTP is off, and no key brings mail in over HTTP.',
      remedy: 'Make one with restante admin inbound-key: docs/real-mail.md has the roads.',
    })
  for (const { id, provider, last_used_at, refused_at, refused_reason } of keys)
    if (refused_at !== null && refused_at > (last_used_at ?? ''))
      findings.push({
        check: 'provider_refused',
        problem: `Mail of ${provider} under the key ${id} was refused at ${refused_at}: ${refused_reason}.`,
        remedy:
          'Put right what that names, or make a key anew with restante admin inbound-key: the provider tries again.',
      })
  return findings
}
