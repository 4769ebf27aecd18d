/** The preparer of reports, which 0.3.0 keeps with the user: a name and a license that others at this computer could read. */
const OLD_ENTRIES = ['plumbline.preparer'];

/** Deletes what earlier versions left in the browser and nothing reads. */
export function deleteOldEntries(): void {
  try {
    for (const key of OLD_ENTRIES) localStorage.removeItem(key);
  } catch {
    // Private windows may deny storage. Then there is nothing.
  }
}
