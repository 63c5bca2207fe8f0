const pieceBytes = 1024 * 1024

/** A body that does not say how long it is; `pulled` counts its mebibytes that were asked for. */
export function longBody(mebibytes: number) {
  const piece = new Uint8Array(pieceBytes).fill(120)
  const told = { pulled: 0 }
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (told.pulled === mebibytes) return controller.close()
        told.pulled++
        controller.enqueue(piece)
      },
    },
    { highWaterMark: 0 },
  )
  return { told, init: { method: 'POST', body, duplex: 'half' as const } }
}
