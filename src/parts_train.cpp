// What of train/ and predict/ is the same for every model, compiled once per build.
#include "entrain/predict/splitting.ipp"
#include "entrain/train/data.ipp"
#include "entrain/train/describe.ipp"
#include "entrain/train/folder.ipp"
#include "entrain/train/pretrained.ipp"
#include "entrain/train/resume.ipp"
#include "entrain/train/survey.ipp"
#include "entrain/train/tensor_names.ipp"
