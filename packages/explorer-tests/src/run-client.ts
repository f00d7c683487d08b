import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'

/** A client in TypeScript that imports its types from `./api.d.ts` and exports a function `run`. */
export interface ClientSource {
  /** Of OpenAPI 3.1. */
  readonly document: object
  readonly source: string
}

const options: ts.CompilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  allowImportingTsExtensions: true,
  rewriteRelativeImportExtensions: true,
  skipLibCheck: true,
  types: [],
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts']
}

async function writeProject(folder: string, { document, source }: ClientSource): Promise<string> {
  const types = astToString(await openapiTS(JSON.stringify(document)))
  // The packages that the client imports are those of this one.
  await symlink(fileURLToPath(new URL('../node_modules', import.meta.url)), join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await writeFile(join(folder, 'api.d.ts'), types)
  const client = join(folder, 'client.ts')
  await writeFile(client, source)
  return client
}

function compile(client: string): string[] {
  const program = ts.createProgram([client], options)
  const { diagnostics } = program.emit()
  return [...ts.getPreEmitDiagnostics(program), ...diagnostics].map(({ messageText, file, start = 0 }) => {
    const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start).line + 1
    return `line ${line}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`
  })
}

async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'modelwire-client-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The compiler's errors in a client that is typed by a document. */
export async function clientProblems(source: ClientSource): Promise<string[]> {
  return inFolder(async (folder) => compile(await writeProject(folder, source)))
}

/**
 * Compiles a client that is typed by a document, and calls its `run` with a `fetch`.
 * @throws {TypeError} it does not compile; see the message for the place
 */
export async function runClient(
  source: ClientSource & { readonly fetch: (request: Request) => Promise<Response> }
): Promise<unknown> {
  return inFolder(async (folder) => {
    const problems = compile(await writeProject(folder, source))
    if (problems.length > 0) throw new TypeError(problems.join('\n'))
    const address = pathToFileURL(join(folder, 'client.js')).href
    const client = (await import(address)) as { run: (fetch: unknown) => Promise<unknown> } // as in ClientSource
    return client.run(source.fetch)
  })
}
