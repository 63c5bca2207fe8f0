import type { Connection } from '../../protocol/connections'
import { call, fullTime, tell } from '../core'
import { Button } from '../parts'
import { Detail, None, OpenRow, Section } from './section'

const words: Record<string, string> = {
  connecting: 'connecting',
  catching_up: 'taking in older mail',
  live: 'live',
  failing: 'failing',
}
const kinds: Record<string, string> = { live: 'good', failing: 'wrong' }

function Facts({ connection }: { connection: Connection }) {
  const { imap, smtp, user, looked_at, failing_since, next_attempt_at, error, folders } = connection
  return (
    <>
      {error !== null && <p class="note bad">{error}</p>}
      <dl class="facts">
        <dt>Reads</dt>
        <dd>
          {user} at {imap.host}:{imap.port}
        </dd>
        <dt>Sends</dt>
        <dd>
          by {smtp.host}:{smtp.port}
        </dd>
        <dt>Last look</dt>
        <dd>{looked_at === null ? 'none yet' : fullTime(looked_at)}</dd>
        {failing_since !== null && (
          <>
            <dt>Fails since</dt>
            <dd>{fullTime(failing_since)}</dd>
          </>
        )}
        {next_attempt_at !== null && (
          <>
            <dt>Next try</dt>
            <dd>{fullTime(next_attempt_at)}</dd>
          </>
        )}
        <dt>Folders</dt>
        <dd>
          {folders.map(({ path, waiting, skipped }) => (
            <div key={path}>
              {path}
              {waiting > 0 && `: ${waiting} to take in`}
              {skipped.map(({ uid, reason }) => (
                <p key={uid} class="small soft">
                  Mail {uid} was skipped: {reason}
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
  const isStuck = state === 'failing' || folders.some(({ skipped }) => skipped.length > 0)
  const retry = async (key: string) => {
    await call(`/connections/${id}/retry`, { method: 'POST', account: accountId, key })
    await onChanged()
    tell('It is tried again now: look again in a moment.')
  }
  return (
    <OpenRow
      parameter="connection"
      id={id}
      line={
        <>
          <span class="cut">{address}</span>
          <span class="cut small faint wide">
            {looked_at === null ? 'not looked at yet' : `looked at ${fullTime(looked_at)}`}
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
              <Button onPress={retry}>Try again now</Button>
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
    <Section title="Connected mailboxes" about="at other servers">
      {connections.length === 0 ? (
        <None>No mailbox at another server is an inbox here.</None>
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
