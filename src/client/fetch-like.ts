/** The part of the web's `fetch` that the client uses. The global `fetch` fits. */
export type FetchLike = (url: string, init: RequestInit) => Promise<Response>
