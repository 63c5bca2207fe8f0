import { picturesOf } from '../../mail'
import { loadLater, notFound, refuse } from '../base'
import { messageRowIn } from '../messages'
import type { HttpPorts } from './ports'

const loadFetch = loadLater(() => import('../net/fetch-picture'))

interface Asked {
  account_id: string
  message_id: string
  url: string
}

/**
 * Answers with a picture that a message shows from outside. Only what is in its HTML is fetched: the service is no proxy
 * for whatever else.
 *
 * @throws ServiceError `not_found`, `picture_unavailable`
 */
export async function pictureResponse(
  ports: HttpPorts,
  asked: Asked,
  signal: AbortSignal,
): Promise<Response> {
  const { store, resolver, clock, settings } = ports
  const scope = { tenantId: asked.account_id, inboxId: null, keyId: '', scopes: [] }
  const { body_html } = await messageRowIn(store.db, scope, asked.message_id)
  if (!picturesOf(body_html ?? '').has(asked.url.trim())) throw notFound('picture', asked.url.slice(0, 200))
  const { fetchPicture } = await loadFetch()
  const allowPrivate = settings.webhooksAllowPrivate
  const { content, contentType } = await fetchPicture(
    { resolver, clock, allowPrivate },
    asked.url.trim(),
    signal,
  ).catch((error: Error) => {
    throw refuse('picture_unavailable', `The picture could not be fetched: ${error.message}.`)
  })
  return new Response(new Uint8Array(content), {
    headers: {
      'content-type': contentType,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'private, max-age=86400',
    },
  })
}
