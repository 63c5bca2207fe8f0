import { sign } from '../core/ask'
import { tell } from '../core/notices'
import { leave, operator } from '../core/session'
import { Button } from '../parts/button'

/** Shows the operator's login: password and sessions. */
export function Page() {
  const email = operator.value?.email ?? ''
  const isOwner = email.endsWith('.invalid')
  return (
    <div class="page">
      <header>
        <h1>Profile</h1>
      </header>
      <p>
        You are signed in as <strong>{isOwner ? 'the owner of this service' : email}</strong>
        {isOwner && ', with the link that it printed when it started'}.
      </p>
      {!isOwner && (
        <section class="stack">
          <h2>Password</h2>
          <p class="soft">We send a link to your address. Open it to set a new password.</p>
          <div>
            <Button
              onPress={async () => {
                await sign('send-reset', { email })
                tell('A link is on its way. Open it on this device within 10 minutes.')
              }}
            >
              Set a new password
            </Button>
          </div>
        </section>
      )}
      <section class="stack">
        <h2>Sessions</h2>
        <p class="soft">
          A session lasts seven days. If somebody else may use one of yours, end all sessions. Every browser
          must then sign in again, including this one.
        </p>
        <div class="row">
          <Button onPress={() => leave()}>Sign out here</Button>
          <Button kind="danger" onPress={() => leave(true)}>
            End all sessions
          </Button>
        </div>
      </section>
    </div>
  )
}
