import type { Connection } from '../../protocol/connections/connection'
import { call } from '../core/ask'
import { tell } from '../core/notices'
import { fullTime } from '../core/times'
import { Button } from '../parts/button'
import { Detail, None, OpenRow, Section } from './section'

const words: Record<string, string> = {
  connecting: 'connecting',
  catching_up: 'importing older messages',
  live: 'live',
  failing: 'failing',
  needs_sign_in: 'needs a new sign-in',
}
const kinds: Record<string, string> = { live: 'good', failing: 'wrong', needs_sign_in: 'wrong' }

function Facts({ connection }: { connection: Connection }) {
  const { imap, smtp, user, looked_at, failing_since, next_attempt_at, error, folders } = connection
  return (
    <>
      {error !== null && <p class="note bad">{error}</p>}
      <dl class="facts">
        <dt>IMAP</dt>
        <dd>
          {user} at {imap.host}:{imap.port}
        </dd>
        <dt>SMTP</dt>
        <dd>
          {smtp.host}:{smtp.port}
        </dd>
        <dt>Last checked</dt>
        <dd>{looked_at === null ? 'not yet' : fullTime(looked_at)}</dd>
        {failing_since !== null && (
          <>
            <dt>Failing since</dt>
            <dd>{fullTime(failing_since)}</dd>
          </>
        )}
        {next_attempt_at !== null && (
          <>
            <dt>Next attempt</dt>
            <dd>{fullTime(next_attempt_at)}</dd>
          </>
        )}
        <dt>Folders</dt>
        <dd>
          {folders.map(({ path, waiting, skipped }) => (
            <div key={path}>
              {path}
              {waiting > 0 && `: ${waiting} to import`}
              {skipped.map(({ uid, reason }) => (
                <p key={uid} class="small soft">
                  Message {uid} was skipped: {reason}
                </p>
              ))}
            </div>
          ))}
        </dd>
      </dl>
    </>
  )
}

interface RowProps {
  accountId: string
  connection: Connection
  onChanged: () => Promise<void>
}

function Row({ accountId, connection, onChanged }: RowProps) {
  const { id, address, state, looked_at, folders } = connection
  const isStuck = kinds[state] === 'wrong' || folders.some(({ skipped }) => skipped.length > 0)
  const retry = async (key: string) => {
    await call(`/connections/${id}/retry`, { method: 'POST', account: accountId, key })
    await onChanged()
    tell('Retry started. Refresh in a moment to see the result.')
  }
  return (
    <OpenRow
      parameter="connection"
      id={id}
      line={
        <>
          <span class="cut">{address}</span>
          <span class="cut small faint wide">
            {looked_at === null ? 'not checked yet' : `checked ${fullTime(looked_at)}`}
          </span>
          <span class={`tag ${kinds[state] ?? 'warn'}`}>{words[state] ?? state}</span>
        </>
      }
    >
      {() => (
        <Detail label={`The mailbox ${address}`}>
          <Facts connection={connection} />
          {isStuck && (
            <div>
              <Button onPress={retry}>Retry now</Button>
            </div>
          )}
        </Detail>
      )}
    </OpenRow>
  )
}

/** Lists mailboxes at other servers, with their state. */
export function Connections({
  accountId,
  connections,
  onChanged,
}: {
  accountId: string
  connections: Connection[]
  onChanged: () => Promise<void>
}) {
  return (
    <Section title="Connected mailboxes" about="IMAP mailboxes at other servers">
      {connections.length === 0 ? (
        <None>
          No connected mailboxes yet. Connect one with <code>restante connect</code>.
        </None>
      ) : (
        <ul class="things">
          {connections.map((connection) => (
            <Row key={connection.id} accountId={accountId} connection={connection} onChanged={onChanged} />
          ))}
        </ul>
      )}
    </Section>
  )
}
