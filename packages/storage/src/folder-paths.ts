import { realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { checkName } from './check-name.ts'
import { FileNotFound } from './errors.ts'
import { onDisk } from './file-errors.ts'

/** True for the folder itself and what is below it. */
export const isWithin = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)

/** Finds where the containers of one root really are. */
export class FolderPaths {
  readonly #root: string

  constructor(root: string) {
    this.#root = root
  }

  /** The root without symbolic links. */
  root(): Promise<string> {
    return onDisk('root', () => realpath(this.#root))
  }

  /**
   * The folder of a container without symbolic links. Errors name `wanted`.
   * @throws {FileNameInvalid} the name may lead elsewhere
   * @throws {FileNotFound} there is none, or a link leads out of the root
   */
  async container(name: string, wanted: string = name): Promise<string> {
    checkName(name)
    return this.#resolve(wanted, (root) => join(root, name))
  }

  /**
   * The path of a file that exists, without symbolic links.
   * @throws {FileNameInvalid} the name may lead elsewhere
   * @throws {FileNotFound} there is none, or a link leads out of the root
   */
  async file(container: string, name: string): Promise<string> {
    checkName(name)
    const folder = await this.container(container, name)
    return this.#resolve(name, () => join(folder, name))
  }

  async #resolve(name: string, pathIn: (root: string) => string): Promise<string> {
    const root = await this.root()
    const path = await onDisk(name, () => realpath(pathIn(root)))
    if (path !== root && isWithin(root, path)) return path
    throw new FileNotFound(`File not found: ${name}`)
  }
}
