/**
 * The present privacy policy and terms of use (in web) are of this day. A registration stores it, so changed texts
 * need a new one.
 */
export const legalVersion = '2026-11-30'
