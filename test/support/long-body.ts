const pieceBytes = 1024 * 1024

/** A body that does not say how long it is; `pulled` counts its mebibytes that were asked for. */
export function longBody(mebibytes: number) {
  const piece = new Uint8Array(pieceBytes).fill(120)
  const reported = { pulled: 0 }
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (reported.pulled === mebibytes) return controller.close()
        reported.pulled++
        controller.enqueue(piece)
      },
    },
    { highWaterMark: 0 },
  )
  return { reported, init: { method: 'POST', body, duplex: 'half' as const } }
}
