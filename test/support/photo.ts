/** A photo of one pixel, as PNG. */
export const photo = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
export const photoFile = { filename: 'photo.png', contentType: 'image/png', content: photo }
