/** The day of the present privacy policy and terms of use (web). A registration stores it; changed texts need a new one. */
export const legalVersion = '2026-11-29'
