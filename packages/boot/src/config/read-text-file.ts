import { constants } from 'node:fs'
import { open } from 'node:fs/promises'

/**
 * The text of a file. What is none is not waited for: a pipe gives nothing until somebody writes into it, a device without end.
 * @throws {Error} it is a folder, a pipe, a socket or a device
 */
export async function readTextFile(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    if (!(await file.stat()).isFile()) throw new Error(`${path} is no file`)
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}
