// Ends the process with one sentence if Node is too old. What this file imports, and what is parsed together
// with it, must be valid on Node 16.
const OLDEST = 20;

/**
 * Returns why this version of Node cannot run the project, or null if it can.
 *
 * @param version - such as `20.11.0`
 */
export function refusalOf(version) {
  if (Number(version.split('.')[0]) >= OLDEST) return null;
  return `This is Node ${version}: install Node ${OLDEST} or newer, then try again.`;
}

const refusal = refusalOf(process.versions.node);
if (refusal) {
  console.error(refusal);
  process.exit(1);
}
