import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'

/**
 * The text of a file. What is none is not waited for: a pipe gives nothing until somebody writes into it, a device without end.
 * @throws {Error} it is a folder, a pipe, a socket or a device
 */
export function readTextFile(path: string): string {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    if (!fstatSync(file).isFile()) throw new Error(`${path} is not a file`)
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}
