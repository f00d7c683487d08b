const provided =
  /^(loopback|loopback-boot|loopback-datasource-juggler|strong-remoting|loopback-component-(explorer|oauth2|passport|storage))(\/|$)/

/** The module that a script requires: by its name, or by a relative path to it. */
export function requiredName(request: string): string {
  const name = request.replace(/^\.{1,2}\/(?:.*\/)?node_modules\//, '')
  return name.replace(/(?<=.)\/(?:index(?:\.js)?)?$/, '').replace(/\.js$/, '')
}

/** True for LoopBack's modules and their subpaths, which Modelwire provides to scripts. */
export function isProvided(request: string): boolean {
  return provided.test(requiredName(request))
}
