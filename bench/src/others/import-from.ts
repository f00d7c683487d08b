import type { Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Imports a package that is installed in a folder. */
export async function importFrom<Package>(folder: string, name: string): Promise<Package> {
  const { resolve } = createRequire(join(folder, 'package.json'))
  // Each caller names what it uses of the package.
  return (await import(pathToFileURL(resolve(name)).href)) as Package
}

/** The address of a server that listens on a port of this machine. */
export function addressOf(server: Server): string {
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo
  return `http://127.0.0.1:${port}`
}
