import { interfaceUrl } from '../core/location'

/** Explains how to get a first account, after sign-in. */
export function Welcome() {
  return (
    <div class="page">
      <header>
        <h1>No account yet</h1>
      </header>
      <div class="stack soft">
        <p>
          Your accounts appear here. An agent signs up by itself and gives you a claim link. Open the link in
          this browser to claim its account.
        </p>
        <p>Give your agent this address, which explains how to sign up:</p>
        <pre class="card">{`${new URL('/llms.txt', interfaceUrl)}`}</pre>
        <p>Or sign up for the agent:</p>
        <pre class="card">{`curl -X POST ${interfaceUrl}/agent-signups \\
  -H "Idempotency-Key: $(head -c 32 /dev/urandom | base64 | tr '+/' '-_' | tr -d '=')" \\
  -H 'Content-Type: application/json' -d '{"name": "My agent"}'`}</pre>
        <p>
          The response contains the API key and <code>claim_url</code>. Open that URL in this browser.
        </p>
      </div>
    </div>
  )
}

export { Claim } from './claim'
export { SignIn } from './sign-in'
export { UseLink } from './use-link'
