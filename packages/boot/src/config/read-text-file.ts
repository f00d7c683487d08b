import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'

/**
 * The text of a file. Anything else is refused: a pipe blocks until there is a writer, a device never ends.
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
