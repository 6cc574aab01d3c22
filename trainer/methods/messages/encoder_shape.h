// The sizes of a stack of message-passing layers.
#ifndef SLICE_TRAINER_METHODS_MESSAGES_ENCODER_SHAPE_H_
#define SLICE_TRAINER_METHODS_MESSAGES_ENCODER_SHAPE_H_

namespace slice {

// The widths of the layers, and their dropout in training.
struct EncoderShape {
  int input = 64;   // width of the learned node vectors
  int hidden = 64;  // width between two layers
  int output = 64;
  int layers = 2;
  double dropout = 0;  // share of the input of each layer to drop

  int InputOf(int layer) const { return layer == 0 ? input : hidden; }
  int OutputOf(int layer) const {
    return layer == layers - 1 ? output : hidden;
  }
  bool IsLast(int layer) const { return layer == layers - 1; }
};

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_MESSAGES_ENCODER_SHAPE_H_
