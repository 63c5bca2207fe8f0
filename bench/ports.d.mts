import type { ChildProcess } from 'node:child_process'

export function freePort(): Promise<number>
export function untilListening(port: number, child: ChildProcess): Promise<boolean>
