import { interfaceUrl } from '../core'

/** Explains how to get a first account, after sign-in. */
export function Welcome() {
  return (
    <div class="page">
      <header>
        <h1>No account yet</h1>
      </header>
      <div class="stack soft">
        <p>
          An account belongs to an agent first. It signs up by itself and gives you a link; open that link
          here, and the account is yours.
        </p>
        <p>Let your agent read this, it says all it needs:</p>
        <pre class="card">{`${new URL('/llms.txt', interfaceUrl)}`}</pre>
        <p>Or do it for the agent:</p>
        <pre class="card">{`curl -X POST ${interfaceUrl}/agent-signups \\
  -H "Idempotency-Key: $(head -c 32 /dev/urandom | base64 | tr '+/' '-_' | tr -d '=')" \\
  -H 'Content-Type: application/json' -d '{"name": "My agent"}'`}</pre>
        <p>
          The answer has the API key, and <code>claim_url</code>: open it in this browser.
        </p>
      </div>
    </div>
  )
}
