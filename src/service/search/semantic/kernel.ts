import { readFileSync } from 'node:fs'
import { dataPath } from '../terms/data-path'

/**
 * Inner loops by WebAssembly SIMD, which JavaScript lacks. Numbers are addresses in its memory, counts and widths;
 * `build/search-data/kernel.ts` is the source, with the layouts.
 */
export interface Kernel {
  readonly memory: WebAssembly.Memory
  multiply(a: number, b: number, c: number, rows: number, width: number, columns: number): void
  products(rows: number, count: number, query: number, width: number, sums: number): void
  quantize(rows: number, count: number, width: number, out: number, scales: number, most: number): void
  dequantize(...sumsCountColumnsRowScalesScalesBiasLeastOut: number[]): void
  match(vector: number, others: number, stride: number, count: number, width: number, out: number): void
  mix(weights: number, vectors: number, stride: number, count: number, width: number, out: number): void
}

const pageBytes = 65_536

let compiled: WebAssembly.Module | undefined

/** Creates a kernel with a memory of its own. */
export function createKernel(bytes: number): Kernel {
  compiled ??= new WebAssembly.Module(readFileSync(dataPath('kernel.wasm')))
  const { exports } = new WebAssembly.Instance(compiled)
  const kernel = exports as unknown as Kernel
  reserve(kernel, bytes)
  return kernel
}

/** Grows the memory of a kernel to a size; earlier views of it are then detached. */
export function reserve({ memory }: Kernel, bytes: number): void {
  const missing = bytes - memory.buffer.byteLength
  if (missing > 0) memory.grow(Math.ceil(missing / pageBytes))
}
